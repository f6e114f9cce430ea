/**
 * The byte format of a vector, in the database and in memory.
 * The same vector gives the same bytes on every machine. Bytes of another length are rejected.
 */
export { packedIn, packVector, scaleOf, unpackVector, vectorHeadBytes } from './packed.ts';
