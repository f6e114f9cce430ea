/**
 * A memory follows its project to another path.
 * Promises: the memory of a folder that still exists is taken only when the user says so; two memories never become one; a kill at any
 * point leaves the memory in one of the two places, and the next start goes on.
 */
export { adoptByHand, adoptMoved } from './adopt.ts';
