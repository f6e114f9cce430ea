/** The commands: how they are laid out. */

/** Columns of a help text, on every terminal the same: it is made once, by the build. */
export const helpColumns = 80;
