const textsMax = 64;

/** Calls `read` once for each of the last texts. Its values are read by several, so nobody may change them. */
export function onceByText<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = read(text);
    if (known.size >= textsMax) known.clear();
    known.set(text, value);
    return value;
  };
}
