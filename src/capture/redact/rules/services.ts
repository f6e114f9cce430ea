import { fill, patterned, type Rule } from '../rule.ts';
import { looksRandom } from '../value.ts';

/** Monitoring, identity, media, models, payments and other services. */
export const serviceRules: readonly Rule[] = [
  patterned(
    'newrelic-key',
    ['nral'],
    /(?<![\w])(?:eu01xx|gov01xx)?[0-9a-f]{30,40}(?:FFFF)?NRAL(?![\w])/,
    () => [`${fill('hex', 36)}FFFFNRAL`],
    { before: 46 },
  ),
  patterned(
    'sentry-token',
    ['sntrys_'],
    /sntrys_eyJ[A-Za-z0-9+/]{20}/,
    () => [`sntrys_eyJ${fill('base64', 100)}=_${fill('base64', 43)}`],
    { at: 'anywhere', tail: ['base64', /={0,2}_[A-Za-z0-9+/]{43}(?![A-Za-z0-9+/])/] },
  ),
  patterned('grafana-token', ['glc_'], /glc_[A-Za-z0-9+/]{32}/, () => [`glc_eyJ${fill('base64', 60)}`], {
    at: 'anywhere',
    tail: ['base64', /={0,3}/],
  }),
  patterned(
    'onepassword-key',
    ['a3-'],
    /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![\w-])/,
    () => [`A3-${[6, 6, 5, 5, 5, 5].map((length) => fill('upper', length)).join('-')}`],
    { at: 'anywhere' },
  ),
  patterned(
    'okta-token',
    ['okta', 'ssws '],
    /(?:okta[\w .-]{0,20}["']?\s{0,20}[:=]{1,3}\s{0,20}["']?|SSWS )(00[\w-]{40})(?![\w-])/i,
    () => [`SSWS 00${fill('url', 40)}`],
  ),
  patterned(
    'authress-key',
    ['.acc'],
    /(?<![\w.-])(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}/i,
    () => [`sc_${fill('lower', 10)}.${fill('lower', 4)}.acc_${fill('lower', 10)}.${fill('lower', 40)}`],
    { before: 50 },
  ),
  // age-encryption.org.
  patterned(
    'age-key',
    ['age-secret-key-', 'age-plugin-'],
    /AGE-(?:SECRET-KEY-(?:[A-Z]{1,12}-)?1|PLUGIN-[A-Z0-9-]{1,40}-1)[A-Z0-9]{20}/i,
    () => [`AGE-SECRET-KEY-1${fill('upper', 58)}`, `AGE-SECRET-KEY-PQ-1${fill('upper', 58)}`],
    { at: 'anywhere', tail: ['alnum'] },
  ),
  patterned('salesforce-token', ['00d'], /(?<![\w-])00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,120}/, () => [
    `00D${fill('alnum', 12)}!${fill('alnum', 96)}`,
  ]),
  // Maps, media, social
  patterned(
    'mapbox-token',
    ['pk.', 'sk.', 'tk.'],
    /(?<![\w.-])(?:(?:sk|tk|pk)\.eyJ[\w-]{40,200}\.[\w-]{20,30}|pk\.[a-z0-9]{60}\.[a-z0-9]{22})(?![\w-])/i,
    () => [`sk.eyJ${fill('alnum', 60)}.${fill('alnum', 22)}`],
  ),
  patterned(
    'facebook-token',
    ['facebook', 'access_token', 'fb_'],
    /[^\n]{0,40}?(?<!\w)(\d{15,16}(?:\||%7C)[\w-]{27,40})(?![\w-])/,
    () => [`facebook ${fill('digit', 15)}|${fill('url', 27)}`],
    { entropyMin: 3 },
  ),
  patterned(
    'twitter-bearer',
    ['aaaaaaaaaaaaaaaaaaaa'],
    /(?<![\w%])A{20,24}[A-Za-z0-9%]{70,120}(?![\w%])/,
    () => ['A'.repeat(22) + fill('alnum', 80)],
    { entropyMin: 3 },
  ),
  patterned(
    'maxmind-key',
    ['_mmk'],
    /(?<!\w)[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)/,
    () => [`${fill('alnum', 6)}_${fill('alnum', 29)}_mmk`],
    { before: 36 },
  ),
  patterned(
    'private-address',
    ['private-'],
    /(?<=[/?&=])private-([0-9a-f]{32})(?!\w)/,
    () => [`https://calendar.example.org/ical/me/private-${fill('hex', 32)}/basic.ics`],
    { entropyMin: 2.5 },
  ),
  // Models
  // The old form holds "OpenAI" in base64 in its middle.
  patterned(
    'openai-key',
    ['t3blbkfj'],
    /(?<![\w-])sk-[\w-]{16,100}T3BlbkFJ[\w-]{16,100}/,
    () => [`sk-${fill('alnum', 20)}${'T3Blbk' + 'FJ'}${fill('alnum', 20)}`],
    { before: 104 },
  ),
  patterned(
    'huggingface-token',
    ['hf_'],
    /hf_[A-Za-z]{34,40}(?![A-Za-z0-9])/,
    () => ['hf_' + fill('letter', 34)],
    {
      at: 'anywhere',
      check: (secret) => looksRandom(secret.slice(3)),
    },
  ),
  // ai.google.dev/gemini-api/docs/api-key: keys that are bound to an account, since 2026.
  patterned('gemini-key', ['aq.'], /AQ\.[\w-]{40}/, () => ['AQ.' + fill('url', 50)], {
    ...{ at: 'anywhere', tail: ['url'], entropyMin: 3 },
    check: (secret) => /\d/.test(secret) && looksRandom(secret.slice(3)),
  }),
  // Payments
  patterned(
    'braintree-token',
    ['access_token$'],
    /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/,
    () => [`access_token$${'sandbox'}$${fill('lower', 16)}$${fill('hex', 32)}`],
  ),
  patterned(
    'messagebird-key',
    ['live_', 'test_'],
    /(?:live|test)_[A-Za-z0-9]{25}(?!\w)/,
    () => [`live_${fill('alnum', 25)}`],
    { at: 'word', check: (secret) => /\d/.test(secret) && looksRandom(secret.slice(5)) },
  ),
];
