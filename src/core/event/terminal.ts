/** `text` without the sequences that move a terminal's cursor, colour it or name its window (ECMA-48: CSI, OSC). */
export function withoutTerminalSequences(text: string): string {
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g, '');
}
