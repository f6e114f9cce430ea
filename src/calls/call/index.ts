/**
 * A stored call in one shape, whichever assistant made it: arguments by name, the output as text, how it ended.
 * Promises: any payload gives a call; time is linear in its size. Decides nothing about what the call means.
 */
export {
  argument,
  type Call,
  commandText,
  numberAt,
  objectsAt,
  readCall,
  readStored,
  textAt,
  textsIn,
} from './call.ts';
export { familyOf, patchText } from './family.ts';
export { once } from './once.ts';
export { parsePayload } from './payload.ts';
export { type Result, refusalReason } from './result.ts';
