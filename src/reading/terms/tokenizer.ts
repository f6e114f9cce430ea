/**
 * The value of FTS5's `tokenize` option for a table fed with `indexText`:
 * `CREATE VIRTUAL TABLE t USING fts5(text, terms, tokenize="${ftsTokenize}")`.
 *
 * The joining characters are token characters so that `src/search/fuse.ts`, `half-life` and `c++` stay one
 * term each (https://www.sqlite.org/fts5.html#unicode61_tokenizer). Marks (`M*`) are in the categories
 * because vowel signs of many scripts are marks, and a word must not break at them.
 */
export const ftsTokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co' tokenchars '-_./+#'";
