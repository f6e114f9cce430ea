/** A stored payload as it is shown; one that somebody's SQL has torn is shown as the text that it is. */
export function shownPayload(payloadJson: string): unknown {
  try {
    return JSON.parse(payloadJson);
  } catch {
    return payloadJson;
  }
}
