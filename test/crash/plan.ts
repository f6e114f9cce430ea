import { Random } from './random.ts';

/** What one daemon goes through. */
export interface Round {
  /** `MEMD_FAULTS`. */
  readonly faults: string;
  readonly clients: number;
  readonly calls: number;
  /** Events of an assistant whose hooks run meanwhile. */
  readonly hooks: number;
  /** Characters of a call's output, drawn up to this. */
  readonly outputMax: number;
  /** Sends first what no former daemon has acknowledged. */
  readonly resend: boolean;
  /** Gives the daemon time to commit what it has acknowledged, if no fault ends it. */
  readonly linger: boolean;
  /** What happens to the disk once the daemon is dead. */
  readonly disk: 'nothing' | 'power loss' | 'flip';
}

export interface Plan {
  readonly seed: number;
  readonly rounds: readonly Round[];
}

/** Points with the highest occurrence that a load of some calls still reaches. */
const atWork = [
  ['log.write', 12],
  ['log.write.after', 12],
  ['log.sync', 12],
  ['log.sync.after', 12],
  ['log.truncate', 5],
  ['log.truncate.after', 5],
  ['log.folder', 1],
  ['log.folder.after', 1],
  ['store.commit.before', 8],
  ['store.commit.after', 8],
] as const;
const atFront = [
  ['copy.open', 1],
  ['copy.write', 2],
  ['copy.write.after', 2],
  ['copy.sync', 2],
  ['copy.sync.after', 2],
  ['log.rename', 2],
  ['log.rename.after', 2],
  ['log.folder', 2],
  ['log.folder.after', 2],
] as const;
const atStart = [
  ['pid.write', 1],
  ['pid.sync', 1],
  ['pid.rename', 1],
  ['pid.rename.after', 1],
  ['log.open', 1],
  ['aside.write', 1],
  ['aside.sync', 1],
  ['aside.sync.after', 1],
  ['replay.commit', 1],
  ['replay.commit.after', 1],
  ['store.commit.before', 1],
  ['store.commit.after', 1],
] as const;

/** What a seed stands for; the same seed is the same plan. */
export function planOf(seed: number): Plan {
  const random = new Random(seed);
  const rounds = Array.from({ length: random.whole(1, 3) }, (_, at) => roundOf(random, at));
  return { seed, rounds };
}

function roundOf(random: Random, at: number): Round {
  const atEnd = random.next();
  return {
    faults: faultsOf(random, at),
    clients: random.whole(1, 8),
    calls: random.whole(1, 10),
    outputMax: random.one([40, 2_000, 20_000]),
    resend: random.chance(0.5),
    linger: random.chance(0.5),
    disk: atEnd < 0.5 ? 'power loss' : atEnd < 0.65 ? 'flip' : 'nothing',
    hooks: random.whole(0, 5),
  };
}

function faultsOf(random: Random, at: number): string {
  const place = random.next();
  // There is something to replay from the second round on.
  const [points, front] =
    at > 0 && place < 0.35 ? [atStart, false] : place > 0.8 ? [atFront, true] : [atWork, false];
  const [point, most] = points[random.whole(0, points.length - 1)] ?? points[0];
  const kill = `${point}@${random.whole(1, most)}=${killOf(random, point)}`;
  const items = [kill];
  // A small fault first, and the kill some time after it.
  if (random.chance(0.4)) items.unshift(smallFault(random));
  // The database is kept from being written: then the log alone carries what was acknowledged.
  if (!front && random.chance(0.35)) items.push('store.commit.before@3+=eio');
  if (front) items.push(`log.front=${random.one([1_000, 5_000, 20_000])}`);
  return items.join(',');
}

function killOf(random: Random, point: string): string {
  return point.endsWith('.write') && random.chance(0.6) && !/^(pid|aside)/.test(point)
    ? `torn:${random.whole(0, 3_000)}`
    : 'kill';
}

function smallFault(random: Random): string {
  const time = random.whole(1, 6);
  return random.one([
    `log.sync@${time}=eio`,
    `log.sync@${time}=eio`,
    `log.sync@${time}=eio`,
    `log.write@${time}=short:${random.whole(0, 2_000)}`,
    `log.write@${time}=eio`,
    `log.truncate@${time}=eio`,
    `log.sync@${time}=eio,log.truncate@${time}+=eio`,
    `log.write@${time}=short:${random.whole(0, 2_000)},log.truncate@1=erofs`,
    `log.write@${time}+=erofs`,
    `store.commit.before@${time}=eio`,
    `store.commit.after@${time}=eio`,
    `log.folder@1=eio`,
  ]);
}
