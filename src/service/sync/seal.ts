import { createHash } from 'node:crypto';
import { Failure } from '#core/platform';

const keyHead = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} (\d\d?)\n/;

/** How segments are encrypted. */
export type SealMode = 'passphrase' | 'recipients' | 'none';

/** Encrypts and decrypts segments. */
export interface Seal {
  readonly mode: SealMode;
  /** The end of a segment's name. */
  readonly ending: 'age' | 'ndjson';
  close(text: Uint8Array): Promise<Uint8Array>;
  /** Null when the keys of this device do not open it. */
  open(content: Uint8Array): Promise<Uint8Array | null>;
}

export const plainSeal: Seal = {
  mode: 'none',
  ending: 'ndjson',
  close: async (text) => text,
  open: async (content) => content,
};

/** A key of the branch: a file that the passphrase opens. */
export interface KeyFile {
  readonly path: string;
  readonly content: Uint8Array;
}

// 2^16: half a second and 150 MiB in JavaScript (bench of `age-encryption` 0.3.1). The default of age, 2^18, takes four times as much.
const scryptLog = 16;
/** Anyone who can write to the remote can add files of this form. */
const keysTriedMax = 64;
/** With a key: another is of a device that began at the same time. */
const furtherKeysTriedMax = 4;

/**
 * The segments are encrypted to a key that is on the branch itself, encrypted by the passphrase: a passphrase takes half a second to
 * try, and there are many segments. Nobody without the passphrase knows that key, so what it opens was written by one who has it.
 * `own` are the keys that this device has used; with none that opens, and no other on the branch, there is a new one.
 */
export async function passphraseSeal(
  passphrase: string,
  own: readonly KeyFile[],
  others: readonly KeyFile[],
): Promise<{ readonly seal: Seal; readonly keys: readonly KeyFile[] }> {
  const age = await import('age-encryption');
  const keys: KeyFile[] = [];
  const identities: string[] = [];
  // In an order that nobody can foresee: what the others added must not be first each time.
  const shuffled = others.map((key) => [Math.random(), key] as const).sort(([one], [other]) => one - other);
  for (const [tried, key] of [...own, ...shuffled.map(([, key]) => key)].entries()) {
    if (tried >= (keys.length === 0 ? keysTriedMax : furtherKeysTriedMax)) break;
    const identity = await opened(key.content, passphrase);
    if (identity === null) continue;
    keys.push(key);
    identities.push(identity);
  }
  if (identities.length === 0 && own.length + others.length > 0) throw wrongPassphrase(others.length);
  if (identities.length === 0) {
    const identity = await age.generateX25519Identity();
    const encrypter = new age.Encrypter();
    encrypter.setPassphrase(passphrase);
    encrypter.setScryptWorkFactor(scryptLog);
    const content = await encrypter.encrypt(identity);
    keys.push({ path: keyPath(content), content });
    identities.push(identity);
  }
  // Always the same one of several: two devices may have begun at the same time.
  const recipients = [await age.identityToRecipient([...identities].sort()[0] ?? '')];
  return { seal: ageSeal('passphrase', recipients, identities), keys };
}

/** Whether memd may have written it: it has the form of a key, and the name that its content gives. */
export function isKeyFile({ path, content }: KeyFile): boolean {
  const [, work = '99'] = keyHead.exec(Buffer.from(content).toString('latin1')) ?? [];
  return Number(work) <= scryptLog && path === keyPath(content);
}

function keyPath(content: Uint8Array): string {
  return `keys/${createHash('sha256').update(content).digest('hex').slice(0, 32)}.age`;
}

/** `identities`: the text of a file of age's, with a secret key in each line that is not a comment. */
export function recipientsSeal(recipients: readonly string[], identities: string): Seal {
  const keys = identities.split('\n').map((line) => line.trim());
  return ageSeal(
    'recipients',
    recipients,
    keys.filter((line) => line.startsWith('AGE-SECRET-KEY-')),
  );
}

function ageSeal(mode: SealMode, recipients: readonly string[], identities: readonly string[]): Seal {
  return {
    mode,
    ending: 'age',
    close: async (text) => {
      const age = await import('age-encryption');
      const encrypter = new age.Encrypter();
      for (const recipient of recipients) encrypter.addRecipient(recipient);
      return encrypter.encrypt(text);
    },
    open: async (content) => {
      const age = await import('age-encryption');
      const decrypter = new age.Decrypter();
      for (const identity of identities) decrypter.addIdentity(identity);
      try {
        return await decrypter.decrypt(content);
      } catch {
        // Of another key, or changed on its way.
        return null;
      }
    },
  };
}

async function opened(content: Uint8Array, passphrase: string): Promise<string | null> {
  const age = await import('age-encryption');
  const decrypter = new age.Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const identity = await decrypter.decrypt(content, 'text');
    return /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/.test(identity) ? identity : null;
  } catch {
    return null;
  }
}

function wrongPassphrase(files: number): Failure {
  const what =
    files > keysTriedMax
      ? `opens none of ${keysTriedMax} of the ${files} key files`
      : 'does not open the memory';
  return new Failure('sync_passphrase', `the passphrase ${what} on the remote`, {
    safe: 'nothing was read and nothing was sent',
    repair:
      'use the passphrase of the device that synced first; if it is that, run `memd sync` there, then here',
  });
}
