/**
 * A search in the memories of all workspaces of a namespace, without their daemons.
 * Promises: only reads, leaves no file behind and blocks no daemon; a memory that cannot be read is named, and the others are searched.
 * By words and sessions alone: no vectors are loaded.
 */
export { searchEverywhere } from './everywhere.ts';
