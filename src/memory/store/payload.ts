/** A stored payload for display; one that is not JSON (edited by SQL) stays a text. */
export function shownPayload(payloadJson: string): unknown {
  try {
    return JSON.parse(payloadJson);
  } catch {
    return payloadJson;
  }
}
