import { fill, patterned, type Rule } from '../rule.ts';
import { isPlaceholder, isTemplate, looksRandom } from '../value.ts';

const jose = { at: 'anywhere', entropyMin: 3 } as const;

/** Formats of no single vendor: tokens, headers, addresses. */
export const generalRules: readonly Rule[] = [
  // RFC 7519: header, claims and signature in base64url. `eyJ` is the `{"` of the header.
  patterned(
    'jwt',
    ['eyj', 'eyb'],
    /ey[A-Za-z0-9][\w-]{8}/,
    () => [`eyJ${fill('url', 30)}.eyJ${fill('url', 60)}.${fill('url', 43)}`],
    { tail: ['url', /={0,2}\.ey[\w/+-]{8}/, 'bases', /={0,2}\./, 'bases', /={0,2}/], ...jose },
  ),
  // A token in base64 once more, as in Kubernetes Secrets: `ZXlK` is `eyJ`.
  patterned('jwt', ['zxlk', 'zxlb'], /ZXlK[\w+/-]{60}/, () => [`ZXlK${fill('base64', 120)}`], {
    tail: ['bases', /={0,2}/],
    at: 'word',
    entropyMin: 3.5,
  }),
  // RFC 7516: an encrypted token has five parts. The second is empty with a direct key.
  patterned(
    'jwe',
    ['eyj'],
    /eyJ[\w-]{10}/,
    () => [`eyJ${fill('url', 30)}..${fill('url', 16)}.${fill('url', 60)}.${fill('url', 22)}`],
    {
      tail: ['url', /\./, 'url', /\.[\w-]{10}/, 'url', /\.[\w-]{10}/, 'url', /\.[\w-]{16}/, 'url'],
      ...jose,
    },
  ),
  // RFC 3986, 3.2.1: user and password before the host.
  patterned(
    'url-credentials',
    ['://'],
    /:\/\/[^\s:@/'"`<>?#\\]{0,256}:([^\s'"`<>/\\]{1,1024})@(?=[\w.[%${<"'`-])/,
    () => [`postgres://app:${fill('alnum', 12)}@db.internal:5432/app`],
    { check: (secret) => !isTemplate(secret) && !/^\[?passw(?:or)?d\]?$/i.test(secret) },
  ),
  patterned(
    'url-credentials',
    ['://'],
    /:\/\/([A-Za-z0-9_.~%-]{20,256}):?@(?=[\w.[-])/,
    () => [`https://${fill('alnum', 40)}@git.example.org/a/b`],
    { check: (secret) => looksRandom(secret) },
  ),
  // A go-sql-driver address has no scheme: user:password@tcp(host).
  patterned(
    'url-credentials',
    ['@tcp(', '@unix('],
    /(?<![^\s"'`=])[\w.-]{1,64}:([^\s"'`@/]{1,128})@(?:tcp|unix)\(/,
    () => [`app:${fill('alnum', 12)}@tcp(db:3306)/app`],
    { before: 196, check: (secret) => !isPlaceholder(secret) },
  ),
  // RFC 6750 and RFC 7617. After the header name any value counts, elsewhere only a random one.
  patterned(
    'authorization',
    ['authorization'],
    /authorization\\{0,6}["'`]?\]?[ \t]{0,40}(?::=|=>|:|=|,)[ \t]{0,40}(?:[bfr]?\\{0,6}["'`])?(?:[A-Za-z][\w-]{1,24}[ \t]{1,40}(?:token=)?)?\\{0,2}["']?([^\s"'`<>,;\\()]{6})/i,
    () => [`Authorization: Bearer ${fill('alnum', 24)}`, `"Authorization": "Basic ${fill('base64', 24)}"`],
    { tail: ['value'], check: (secret) => isCredential(secret) },
  ),
  patterned(
    'authorization',
    ['bearer '],
    /Bearer[ \t]{1,40}([A-Za-z0-9._~+/-]{12})/i,
    () => [`Bearer ${fill('alnum', 24)}`],
    {
      tail: ['token68', /={0,2}/],
      at: 'word',
      check: (secret) => looksRandom(secret) && !isPlaceholder(secret),
    },
  ),
  patterned(
    'authorization',
    ['basic '],
    /Basic[ \t]{1,40}([A-Za-z0-9+/]{8})/i,
    () => [`Basic ${Buffer.from('user:pass word').toString('base64')}`],
    { tail: ['base64', /={0,2}/], at: 'word', check: (secret) => holdsUserAndPassword(secret) },
  ),
  // A secp256k1 key in hexadecimal after 0x, as wallets print it.
  patterned(
    'wallet-key',
    ['private key', 'private_key', 'privatekey'],
    /[^\n]{0,80}?(?<![\w])0x([0-9a-fA-F]{64})(?!\w)/,
    () => [`private key: 0x${fill('hex', 64)}`],
    { entropyMin: 3 },
  ),
  // Unknown vendors with the usual form: word, kind, random characters.
  patterned(
    'prefixed-token',
    '_live_ _test_ _prod_ _pat_ _sk_ -sk- _api_ _key_ _secret_ _token_ _sandbox_ _access_ _refresh_ _auth_ _admin_ _service_ _oauth_ _user_ _bot_ _dev_ _stg_ -live- -test- -prod- -secret- -token- -access- -admin- -api- -pat- -key-'.split(
      ' ',
    ),
    /(?<![\w/.-])[a-z][a-z0-9]{1,11}(?:_|-)(?:live|test|prod|pat|sk|api|key|secret|token|sandbox|access|refresh|auth|admin|service|oauth|user|bot|dev|stg)[_-](?:[a-z0-9]{2,8}[_-])?([A-Za-z0-9]{20,200})(?![\w./-])/,
    () => [`acme_live_${fill('alnum', 32)}`],
    { before: 12, entropyMin: 3.3, check: (secret) => looksRandom(secret) },
  ),
  // A recorded session cookie: a name and a value.
  patterned(
    'cookie',
    ['session', 'sid', 'sessid'],
    /(?:session(?:[_-]?id)?|sess(?:ion)?id|sid)\\{0,3}["'](?<=["'][\w.-]{2,60}\\{0,3}["'])\s{0,4},\s{0,40}\\{0,3}["']value\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([^\s"'\\]{10,1024})/i,
    () => [`{"name": "session", "value": "${fill('alnum', 24)}"}`],
    { check: (secret) => looksRandom(secret) },
  ),
  // A cookie jar in Netscape format: seven columns, the value in the last.
  patterned(
    'cookie',
    ['\ttrue\t', '\tfalse\t', '\\ttrue\\t', '\\tfalse\\t'],
    /(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\/[^\t\n\\]{0,200}(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\d{1,20}(?:\t|\\t)[^\t\n\\]{1,256}(?:\t|\\t)([^\s"\\]{6})/,
    () => [`example.org\tFALSE\t/\tTRUE\t0\tsid\t${fill('alnum', 24)}`],
    { tail: ['cell'], check: (secret) => !isPlaceholder(secret) },
  ),
];

function isCredential(value: string): boolean {
  return (
    !isPlaceholder(value) &&
    !/^(?:Bearer|Basic|Token|null|none|undefined|string|true|false|req|request|header|headers)\b/i.test(
      value,
    ) &&
    (looksRandom(value) || /\d/.test(value))
  );
}

function holdsUserAndPassword(value: string): boolean {
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded);
}
