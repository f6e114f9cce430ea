/**
 * The bytes a vector is kept as, in the database and in memory.
 * Promises: the same vector gives the same bytes everywhere; both forms that have ever been stored are read, told apart by
 * their length; what is no vector is never taken for one. Knows no embedder and no database.
 */
export { packedIn, packVector, scaleOf, unpackVector, vectorHeadBytes } from './packed.ts';
