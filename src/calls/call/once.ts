/** `read` once for each key, however often it is asked for; a key that is no longer used is forgotten. */
export function once<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = read(key);
    known.set(key, value);
    return value;
  };
}
