/**
 * What memory gave to sessions, and how often that was used afterwards.
 * Records ids only. The measure reads stored subjects, is bounded, and is made when somebody asks for it.
 */
export { Receipts, type ReceiptsReport, type Used } from './receipts.ts';
