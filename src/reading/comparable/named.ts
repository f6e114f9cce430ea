/** The paths in a text, each once, with a folder in them. */
export function filesIn(text: string): readonly string[] {
  const found = text
    .slice(0, textCharsMax)
    .matchAll(/(?<![\w@./:-])(?:\.\/)?((?:[\w@.+-]{1,80}\/){1,12}[\w@.+-]{0,80}\.[A-Za-z]\w{0,7})(?![\w/])/g);
  return [...new Set([...found].map(([, name = '']) => name))]
    .filter((name) => !name.split('/').includes('..'))
    .slice(0, namedMax);
}

/** Names in the form of code: `loadUser`, `load_user`, `Store.open()`. */
export function symbolsIn(text: string): readonly string[] {
  const quoted = [...text.slice(0, textCharsMax).matchAll(/`([A-Za-z_$][\w$.]{2,60})(?:\(\))?`/g)].map(
    ([, name = '']) => name,
  );
  const shaped = quoted.filter((name) => !/\.\w{1,4}$/.test(name) || /\.\w{5,}$/.test(name));
  return [...new Set(shaped.map((name) => name.replace(/^.*\./, '')))].slice(0, namedMax);
}

const textCharsMax = 20_000;

const namedMax = 12;
