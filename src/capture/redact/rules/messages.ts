import { fill, patterned, type Rule } from '../rule.ts';

/** Chat, mail and telephony. */
export const messageRules: readonly Rule[] = [
  // api.slack.com/authentication/token-types
  patterned(
    'slack-token',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxo-', 'xoxs-', 'xoxr-', 'xoxe-', 'xoxc-', 'xoxd-', 'xoxe.xox', 'xoxa-2'],
    /(?:xox(?:[abpr]|e(?:\.xox[bp])?)-(?=[A-Za-z-]{0,60}\d)[\w-]{10,400}|xox[cos]-\d[\w-]{8,400}|xoxd-[\w%/+-]{40,400})/,
    () => ['xoxb-', 'xoxp-', 'xoxe-1-'].map((prefix) => `${prefix}${fill('digit', 12)}-${fill('alnum', 24)}`),
    { at: 'anywhere', entropyMin: 2.2 },
  ),
  patterned(
    'slack-token',
    ['xapp-'],
    /xapp-\d-[A-Za-z0-9]{1,40}-\d{1,20}-[A-Za-z0-9]{4,200}|xapp-\d-[A-Za-z0-9]{1,40}-\d{8,20}/i,
    () => [`xapp-1-A${fill('upper', 10)}-${fill('digit', 13)}-${fill('hex', 64)}`],
    { at: 'anywhere' },
  ),
  patterned(
    'slack-webhook',
    ['hooks.slack.com/', 'hooks.slack-gov.com/'],
    /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/]{20,120})/,
    () => [`https://hooks.slack.com/services/T${fill('upper', 8)}/B${fill('upper', 8)}/${fill('alnum', 24)}`],
    { entropyMin: 2.5 },
  ),
  patterned('discord-webhook', ['/api/webhooks/'], /\/api\/webhooks\/\d{15,22}\/([\w-]{40,120})/, () => [
    `https://discord.com/api/webhooks/${fill('digit', 18)}/${fill('url', 68)}`,
  ]),
  // discord.com/developers: the user id in base64 (so it begins like digits), a timestamp, an HMAC.
  patterned(
    'discord-token',
    digitsInBase64(),
    /[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-]|\.\w)/,
    () => [`MTA${fill('alnum', 21)}.${fill('url', 6)}.${fill('url', 38)}`],
    { at: 'anywhere', entropyMin: 4 },
  ),
  // core.telegram.org/bots: the bot id, a colon, 35 characters from AA on.
  patterned(
    'telegram-token',
    [':a'],
    /(?<![\w-])(?:bot)?(\d{5,16}:A[\w-]{33,35})(?![\w-])/,
    () => [`${fill('digit', 10)}:AA${fill('url', 33)}`],
    { before: 20, entropyMin: 3 },
  ),
  patterned(
    'teams-webhook',
    ['webhook.office.com/'],
    /webhook\.office\.com\/webhookb2\/([\w@-]{36,80}\/IncomingWebhook\/[a-z0-9]{32}\/[\w-]{36,60}(?:\/[\w-]{1,80})?)/i,
    () => [
      `https://corp.webhook.office.com/webhookb2/${fill('hex', 36)}@${fill('hex', 36)}/IncomingWebhook/${fill('lower', 32)}/${fill('hex', 36)}`,
    ],
  ),
  patterned(
    'google-chat-webhook',
    ['chat.googleapis.com/'],
    /chat\.googleapis\.com\/v1\/spaces\/[\w-]{1,80}\/messages\?(key=[\w-]{1,80}&token=[\w%-]{1,200})/,
    () => [
      `https://chat.googleapis.com/v1/spaces/AAAA/messages?key=${fill('url', 39)}&token=${fill('url', 43)}`,
    ],
  ),
  patterned(
    'zapier-webhook',
    ['hooks.zapier.com/'],
    /hooks\.zapier\.com\/hooks\/catch\/(\d{4,12}\/[a-z0-9]{5,12})/,
    () => [`https://hooks.zapier.com/hooks/catch/${fill('digit', 7)}/${fill('lower', 7)}`],
  ),
  patterned(
    'webhook',
    ['maker.ifttt.com/'],
    /maker\.ifttt\.com\/trigger\/[\w-]{1,80}\/with\/key\/([\w-]{20,50})/,
    () => [`https://maker.ifttt.com/trigger/x/with/key/${fill('url', 22)}`],
  ),
  patterned(
    'sendgrid-key',
    ['sg.'],
    /SG\.(?![\w=-]{0,40}\.\.)(?:[\w-]{16,32}\.[\w-]{16}|[\w=.-]{66})/,
    () => [`SG.${fill('url', 22)}.${fill('url', 43)}`],
    { at: 'anywhere', tail: ['url'], entropyMin: 3 },
  ),
  patterned(
    'mailchimp-key',
    ['-us'],
    /(?<![0-9a-fA-F])[0-9a-f]{32}-us\d{1,2}(?!\w)/,
    () => [`${fill('hex', 32)}-us18`],
    { before: 32, entropyMin: 2.8 },
  ),
  // firebase.google.com: the server key of Cloud Messaging.
  patterned(
    'firebase-key',
    [':apa91b'],
    /(?<![\w-])[A-Za-z0-9_-]{8,24}:APA91b[\w-]{60}/,
    () => [`AAAA${fill('url', 7)}:APA91b${fill('url', 134)}`],
    { before: 24, tail: ['url'], entropyMin: 3 },
  ),
];

/** The first three base64 characters of any two digits, in lower case. Ids since 2022 begin with a 1, and so with `MT`. */
function digitsInBase64(): string[] {
  const starts = new Set([...'abcdefghijklmnopqrstuvwxyz0123456789'].map((third) => `mt${third}`));
  for (let digits = 0; digits < 100; digits++) {
    const encoded = Buffer.from(`${String(digits).padStart(2, '0')}0`).toString('base64');
    starts.add(encoded.slice(0, 3).toLowerCase());
  }
  return [...starts];
}
