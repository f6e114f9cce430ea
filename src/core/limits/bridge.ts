/** What may be asked of the web bridge, and how it waits. */

export const bridgePortTriesMax = 5;
export const bridgePortRetryMs = 50;
export const bridgePortMin = 49_152;
export const bridgePortMax = 65_535;
export const bridgeConnectionsMax = 64;
// Answers due on one connection; browsers and the usual clients wait for each before they ask again.
export const bridgePipelinedMax = 4;
export const bridgeRequestMs = 30_000;
export const bridgeAnswerMs = 30_000;
export const bridgeSettleMs = 2_000;
export const bridgeKeepAliveMs = 5_000;
// At its end, an answer that is due has so long.
export const bridgeFinishMs = 1_000;
export const bridgeSweepMs = 1_000;
export const bridgeHeaderBytesMax = 16 * 1024;
export const bridgeBodyBytesMax = 1024 * 1024;
// Read and thrown away, so that whoever sends too much still reads the answer.
export const bridgeDiscardBytesMax = 8 * 1024 * 1024;
export const bridgeStreamsMax = 16;
export const bridgeStreamBytesMax = 256 * 1024;
export const bridgeStreamTickMs = 1_000;
export const bridgeStreamPingMs = 15_000;
export const bridgeCodeMs = 60_000;
export const bridgeCodesMax = 16;
// Those that have opened, and would show by coming again that two had them.
export const bridgeUsedCodesMax = 64;
export const bridgeReaderIdleMs = 5 * 60_000;
export const bridgeReaderWaitMs = 30_000;
export const bridgeReaderCloseMs = 2_000;
export const bridgeReaderQueueMax = 64;
export const bridgeReaderHeapMiB = 256;
export const bridgeReaderNurseryMiB = 8;
export const bridgePageMax = 200;
export const bridgeGraphDepthMax = 3;
export const bridgeGraphNodesMax = 150;
export const bridgeMemoryEdgesMax = 150;
export const bridgePayloadCharsMax = 256 * 1024;
export const bridgeParamCharsMax = 1_024;
export const bridgeAssetBytesMax = 8 * 1024 * 1024;
export const browserPatienceMs = 1_000;
export const browserOpensMs = 10_000;
export const browserLookMs = 100;
