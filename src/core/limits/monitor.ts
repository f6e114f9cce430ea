/** What the monitor waits for, asks and keeps. The wait for a ping is `pingTimeoutMs`. */

// Spec 8
export const monitorIntervalMs = 30_000;
export const monitorIntervalMsMin = 100;
export const monitorIntervalMsMax = 24 * 60 * 60_000;

// health.ndjson: a line takes some 90 bytes, so that a file holds two weeks of one monitor. One older file is kept.
export const healthBytesMax = 4 * 1024 * 1024;
// A line stays below a page (4,096 bytes) however its body must be escaped.
export const healthBodyCharsMax = 1_024;
export const healthErrorCharsMax = 500;

// Alerts (spec 6.4)
export const alertFailuresMin = 3;
export const alertRawMaxDefault = 500;
export const alertRawMs = 10 * 60_000;
export const monitorReplyCharsMax = 1024 * 1024;
export const notifyTimeoutMs = 5_000;
