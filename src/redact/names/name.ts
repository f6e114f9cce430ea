import type { JsonObject } from '#core/event';
import { redactNameCharsMax } from '#core/limits';

const redactNamesKeptMax = 500;

/**
 * How sensitive a value is by its name. `password`: nearly any value is secret. `secret`: any value except plain
 * words. `token`: a value that looks generated. `vendor`: only a vendor name, so the value must clearly look
 * generated.
 */
export type Sensitivity = 'password' | 'secret' | 'token' | 'vendor' | 'none';

/**
 * The sensitivity of a name such as `DB_PASSWORD`, `config.apiKey` or `next-page-token`. Of a long name the end
 * counts.
 */
export function sensitivityOf(name: string): Sensitivity {
  const judged = judgedPart(name);
  const known = judgements.get(judged);
  if (known !== undefined) return known;
  const sensitivity = judge(judged);
  // The same names repeat in a text.
  if (judgements.size >= redactNamesKeptMax) judgements.clear();
  judgements.set(judged, sensitivity);
  return sensitivity;
}

const judgements = new Map<string, Sensitivity>();

/** A name of any length is judged once for each value below it. */
function judgedPart(name: string): string {
  return name.length > redactNameCharsMax ? name.slice(-redactNameCharsMax) : name;
}

function judge(name: string): Sensitivity {
  const words = significantWords(name);
  const last = (words.at(-1) ?? '').replace(/(?<=[a-z]{3})\d+$/, '');
  const previous = words.at(-2) ?? '';
  if (isPassword(last, previous)) return 'password';
  if (last === 'pass' || last === 'mnemonic' || secrets.test(last)) return 'secret';
  if (foreignKey.test(words.join('_')) && !isDull(name)) return 'token';
  if (groupNoun(name) !== undefined) return 'vendor';
  const kind = /^([a-z]*)token$/.exec(last)?.[1];
  if (kind !== undefined) return tokenOf(kind === '' ? previous : kind);
  if (last === 'key') return keyOf(words, /^[A-Z][A-Z0-9_]*$/.test(name));
  // Ids that belong to a secret count where they look generated.
  if (last === 'id') return ofSecret(previous, words) ? 'token' : 'none';
  if (weak.test(last)) return 'token';
  return last === 'appid' || (words.some((word) => vendors.has(word)) && !dull.test(last))
    ? 'vendor'
    : 'none';
}

export type GroupNoun = 'password' | 'token';

/** What a name in the plural is for, if it is for secrets: `apiKeys`, `tokens`, `DB_PASSWORDS`. */
export function groupNoun(whole: string): GroupNoun | undefined {
  const name = judgedPart(whole);
  if (!/(?:pass[a-z]{4,6}|pwd|secret|token|key|pat)s/i.test(name)) return undefined;
  const words = significantWords(name);
  const last = words.at(-1) ?? '';
  if (/^[a-z]*(?:password|passwd|passphrase|passcode|pwd)s$/.test(last)) return 'password';
  if (/^(?:[a-z]*secrets|apikeys|pats)$/.test(last)) return 'token';
  const of = /^([a-z]*)tokens$/.exec(last)?.[1];
  if (of !== undefined)
    return tokenOf(of === '' ? (words.at(-2) ?? '') : of) === 'none' ? undefined : 'token';
  return last === 'keys' && keyOf([...words.slice(0, -1), 'key'], false) === 'secret' ? 'token' : undefined;
}

/** Whether the last word of a name says what cannot be secret: `id`, `url`, `sha256`. */
export function isDull(name: string): boolean {
  const last = wordsOf(judgedPart(name)).at(-1) ?? '';
  return dull.test(last) && !scopes.test(last);
}
/** What a secret may be for. */
const scopes =
  /^(?:account|org|organization|project|repo|repository|domain|host|region|zone|test|dev|app|web|package|plugin|module)$/;

/** Without words at the end that say nothing: `DB_PASSWORD_OLD`, `client-key-data`, `secret_key_base`. */
function significantWords(name: string): string[] {
  // A Java property: `-Dapi_key=x`.
  const words = wordsOf(name.replace(/^-D(?=[a-z])/, ''));
  while (words.length > 1 && neutral.test(words.at(-1) ?? '')) words.pop();
  if (words.length > 2 && words.at(-2) === 'key' && /^(?:data|base)$/.test(words.at(-1) ?? '')) words.pop();
  return words;
}

function isPassword(last: string, previous: string): boolean {
  if (passwords.test(last)) return true;
  if (last === 'phrase') return /^(?:pass|seed|recovery)$/.test(previous);
  if (last === 'word') return previous === 'pass';
  return (last === 'pass' || last === 'pw') && previous !== '' && !passVetoes.test(previous);
}

/** The words of a name in lower case, from snake, camel, kebab and dotted case. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Every sensitive name holds one of these or a vendor. */
export const nameKeywords: readonly string[] =
  'passw psk pwd pass passphrase _pw secret token credential mnemonic key auth access secrt _sk _pat login client appid clave chave chiave schluessel'.split(
    ' ',
  );

/** `clave_secreta`, `chavePrivada`, `geheimer_schluessel`, its words joined by `_`. */
const foreignKey =
  /(?:^|_)(?:(?:clave|chave|chiave|cle|llave)s?_(?:secr|segr|priv|api|acc?es)|(?:geheim|privat|gizli|tajny|api)[a-z]{0,4}_(?:schluessel|sleutel|anahtar|klucz))/;

const neutral =
  /^(?:\d+|v\d+|value|val|string|str|text|plain|plaintext|raw|b64|base64|encoded|prod|production|dev|development|stage|staging|live|sandbox|old|new|current|default|override|primary|secondary|backup|local|global|main|test|env|confirm|confirmation|again|repeat)$/;
const passwords =
  /(?:password|passwd|passphrase|passcode|passwort|motdepasse|contrasena)s?$|^(?:pwd|[a-z]+pwd|psw|passwrd|(?:user|db|client|require|master|store|key|trust|root|admin|bind|sudo|become|mail|smtp|ftp|ssh|app)pass|masterauth|psk)$/;
const passVetoes =
  /^(?:first|second|two|one|single|by|did|should|must|will|tests?|all|can|to|multi|render|compiler|optimization|analysis|low|high|band|does|not|max|min|num|depth|shadow|of|if|bypass|boarding|and|or|is)$/;
const secrets =
  /^(?:secrets?|[a-z]*(?:client|app|shared|api|jwt|webhook|cookie|session|consumer|signing|master|user|hmac|auth|oauth|bot|server|db|otp|totp)secret|(?:api|access|secret|private|auth|encryption|signing|master|account|license|client|app|admin|service|shared)key)$/;
const tokenVetoes =
  /^(?:next|page|nextpage|pagetoken|continuation|cursor|sync|pad|eos|bos|unk|mask|sep|cls|cancellation|cancel|stop|special|max|min|total|num|input|output|prompt|completion|cached|first|last|lookahead|prev|previous|peek|keyword|end|start|eof|identifier|ident|operator|punctuation|whitespace|comment|lex|lexer|parser|syntax|semantic|design|color|colour|css|theme|string|number|per|delimiter|separator|resume|resumption|change|concurrency|lock|fencing|claim|a|the|each|this|that|by|type|invalid|missing|expired|bad|no|wrong|unexpected)$/;
const strongTokens =
  /^(?:access|refresh|api|bearer|oauth|personal|private|secret|deploy|service|bot|auth|authentication|github|gitlab|npm|registry|webhook|admin|session|id|jwt|hub|ci|user)$/;
const keyQualifiers =
  /^(?:api|apis|access|secret|private|priv|encryption|encrypt|decryption|signing|sign|signature|auth|master|account|license|licence|service|deploy|shared|app|application|session|ssh|admin|subscription|consumer|client|integration|write|webhook|hmac|jwt|aes|rsa|gpg|pgp|crypto|cipher|storage|ingest|ingestion|insert|server|root|security|recovery|activation|user|developer|dev|bot|rest|team|org|project|live|prod|test|read|management|validation|machine|functions?|host|edge|cookie)$/;
const keyVetoes =
  /^(?:public|pub|primary|foreign|sort|partition|row|map|cache|object|query|dict|lookup|idempotency|idempotent|dedup|dedupe|hot|shortcut|composite|unique|index|group|config|setting|storage|local|i18n|translation|locale|react|list|item|header|param|label|data|json|yaml|field|column|property|attribute|s3|redis|ssm|state|cursor|sorting|file|section|host)$/;
const weak =
  /^(?:auth|authorization|credentials?|creds?|accesskeyid|accessid|bearer|jwt|pat|sk|apikeys?|sid|sessionid|nonce|otp|signature|xapikey|authkey|cookie|dsn|salt|pepper)$/;
const dull =
  /^(?:ids?|uuid|guid|sha\d*|commit|hash|digest|ref|refs|revision|rev|version|url|uri|href|link|host|hostname|domain|endpoint|path|file|filename|dir|folder|name|title|label|type|kind|class|style|region|zone|arn|bucket|image|img|src|icon|logo|email|mail|user|username|account|org|organization|project|repo|repository|branch|tag|date|time|timestamp|checksum|etag|integrity|fingerprint|color|port|count|size|length|index|page|model|message|description|event|status|code|format|js|ts|go|py|md|json|yaml|yml|com|org|io|net|dev|app|html|css|png|svg|test|spec|module|package|lib|plugin|sdk|public)$/;

function tokenOf(previous: string): Sensitivity {
  if (tokenVetoes.test(previous)) return 'none';
  return strongTokens.test(previous) ? 'secret' : 'token';
}

function keyOf(words: readonly string[], upper: boolean): Sensitivity {
  const previous = words.at(-2) ?? '';
  if (/^(?:api|secret|private|signing|encryption|master|auth|access)$/.test(previous)) return 'secret';
  if (vendors.has(previous)) return 'token';
  if (words.length > 1 && keyVetoes.test(previous)) return 'none';
  if (keyQualifiers.test(previous) || words.some((word) => vendors.has(word))) return 'token';
  return upper && words.length > 1 ? 'vendor' : 'none';
}

function ofSecret(previous: string, words: readonly string[]): boolean {
  return /^(?:access|secret)$/.test(previous) || (previous === 'key' && words.includes('access'));
}

/** Vendors whose keys have no format of their own, so that the name is the only hint. Lower case, one word each. */
export const vendors: ReadonlySet<string> = new Set(
  `adafruit adobe airtable algolia alibaba aliyun amplitude apify artifactory asana atlassian auth0 authress azure
   beamer bintray bitbucket bitfinex bitly bittrex binance braintree browserstack bugsnag buildkite cisco clerk clickhouse
   clickup cloudant cloudflare cloudinary codecov codacy codeclimate cohere coinbase confluent contentful coveralls
   customerio databricks datadog deepgram deepl defined digitalocean discord disqus docusign doppler dropbox droneci
   duffel dynatrace easypost elastic etsy expo facebook fastly figma finicity finnhub firebase flickr flutterwave
   foursquare frameio freshbooks freshdesk gitee gitea github gitlab gitter gocardless grafana harness hashicorp
   helpscout heroku hetzner hubspot huggingface infura instagram intercom jenkins jfrog jira kraken kucoin launchdarkly
   linear linkedin linode lob logzio looker mailchimp mailgun mailjet mandrill mapbox mattermost maxmind messagebird
   mistral mixpanel mongodb mux netlify newrelic notion npm nuget nytimes octopus okta onelogin openai openweather
   opsgenie pagerduty paypal paystack percy perplexity pinata pinecone plaid planetscale plivo postmark prismic
   privateai pulumi pusher pypi rapidapi razorpay readme recaptcha redislabs replicate ringcentral rollbar rubygems
   salesforce sanity sauce sendbird sendgrid sendinblue brevo sentry shippo shodan shopify sidekiq slack snyk sonar
   sonarcloud sonarqube sourcegraph spotify square squarespace strava stripe sumo sumologic supabase telegram tencent
   terraform tiktok todoist trello travis travisci trustpilot turso twilio twitch twitter typeform unsplash upstash
   vault vercel virustotal vonage nexmo webex wakatime weather webflow xero yandex yelp youtube zapier zendesk zoom
   zoho`.split(/\s+/),
);

/** The name that an object gives to its value: `{"name": "TOKEN", "value": "x"}`. */
export function labelOf(object: JsonObject): string | undefined {
  for (const key of ['name', 'key', 'Name', 'Key', 'header']) {
    const label = Object.hasOwn(object, key) ? object[key] : undefined;
    if (typeof label === 'string' && label.length <= 96) return label;
  }
  return undefined;
}
