import { Failure } from '#core/platform';
import { type Config, keys } from './keys.ts';

const defaultHost = new URL(keys['hostedllm.endpoint'].fallback).hostname;

/**
 * The hosted API's key, or null when none is set. Its form is checked, never shown.
 * @throws Failure `bad_key`
 */
export function hostedKey(
  env: Readonly<Record<string, string | undefined>>,
  config: Pick<Config, 'hostedllm.endpoint'>,
): string | null {
  const key = env.HOSTEDLLM_API_KEY;
  if (key === undefined || key === '') return null;
  const wrong = wrongForm(key, config['hostedllm.endpoint']);
  if (wrong === null) return key;
  throw new Failure('bad_key', `HOSTEDLLM_API_KEY is malformed: ${wrong}`, {
    safe: 'it was not sent anywhere',
    repair: 'set it to the key as the provider shows it, or unset it to work without the hosted model',
  });
}

function wrongForm(key: string, endpoint: string): string | null {
  if (/\s/.test(key)) return 'it holds white space';
  if (key.length < 20 || key.length > 256) return `it has ${key.length} characters, not 20 to 256`;
  if (!/^[\x21-\x7e]+$/.test(key)) return 'it holds characters that are not printable ASCII';
  if (new URL(endpoint).hostname === defaultHost && !key.startsWith('sk-ant-'))
    return 'it does not begin with "sk-ant-", as keys of this provider do';
  return null;
}
