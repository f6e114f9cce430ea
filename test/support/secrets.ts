import { type Rule, type SetName, sets } from '../../src/redact/form/rule.ts';
import { formatTable } from '../../src/redact/rules/format-table.ts';

/** Texts that a rule must redact, made at run time so that no file holds a token. */
export function samplesOf(rule: Rule): readonly string[] {
  const rows = ofFormat(rule);
  return rows.length > 0 ? rows : (samples[rule.name] ?? []).filter((sample) => isMatch(rule, sample));
}

/** `length` pseudo-random characters of a set, always the same. */
export function fill(set: SetName, length: number, seed = 7): string {
  const alphabet = alphabetOf(set);
  let state = seed * 2654435761 + length;
  let text = '';
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length] ?? '';
  }
  return text;
}

function alphabetOf(set: SetName): string {
  const members = new RegExp(`[${sets[set]}]`);
  let alphabet = '';
  for (let code = 33; code < 127; code++) {
    const character = String.fromCharCode(code);
    // Signs at the ends of a sample could merge with what surrounds it.
    if (members.test(character) && !'_=-+/'.includes(character)) alphabet += character;
  }
  return alphabet;
}

function isMatch({ keywords, form }: Rule, sample: string): boolean {
  const { pattern } = form();
  if (!keywords.some((keyword) => sample.toLowerCase().includes(keyword))) return false;
  return new RegExp(pattern.source, pattern.flags.replace('y', '')).test(sample);
}

/** The samples of a row of the table of formats, one for each of its prefixes. */
function ofFormat(rule: Rule): readonly string[] {
  return formatTable.split('\n').flatMap((line) => {
    const [name = '', prefixes = '', body = ''] = line.trim().split(/ {2,}/);
    const isRow = name === rule.name && prefixes.toLowerCase() === rule.keywords.join('|');
    return isRow ? prefixes.split('|').map((prefix) => prefix + bodyOf(body)) : [];
  });
}

function bodyOf(body: string): string {
  let seed = 2;
  return body.replace(/([a-z]\w+)\{(\d+),?\d*\}/gi, (_, set: SetName, min: string) => {
    seed += 1;
    return fill(set, Number(min), seed);
  });
}

const command = (words: string, end = ''): string => `${words}${fill('alnum', 12)}${end}`;

/** By kind, for the rules that are no row of that table. */
const samples: Readonly<Record<string, readonly string[]>> = {
  'aws-access-key': ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3TX'].map((prefix) => prefix + fill('upper', 16)),
  'aws-secret-key': [
    `aws_secret_access_key = ${fill('base64', 40)}`,
    `AKIA${fill('upper', 16)},${fill('alnum', 40)}`,
  ],
  'aws-bedrock-key': ['bedrock-api-key-' + 'YmVkcm9jay5hbWF6b25hd3MuY29t' + fill('base64', 80)],
  'aws-signature': [`X-Amz-Signature=${fill('hex', 64)}`],
  'gcp-refresh-token': ['1//0' + fill('url', 50)],
  'adyen-key': [`AQE${fill('base64', 90)}-${fill('base64', 43)}=-${fill('alnum', 16)}`],
  'voyage-key': [`pa-${fill('url', 43)}`],
  'stytch-secret': [`secret-live-${fill('url', 40)}`],
  'azure-client-secret': [fill('url', 3) + '8Q~' + fill('url', 34)],
  'azure-storage-key': [`AccountKey=${fill('base64', 86)}==`],
  'azure-sas': [`?sv=2022-11-02&sig=${fill('base64', 43)}%3D`],
  'azure-key': [`${fill('alnum', 44)}AzFu${fill('alnum', 6)}==`],
  'azure-devops-token': [`${fill('alnum', 76)}AZDO${fill('alnum', 4)}`],
  'yandex-token': [`t1.${fill('alnum', 8)}.${fill('alnum', 86)}`],
  'terraform-token': [`${fill('alnum', 14)}.atlasv1.${fill('url', 67)}`],
  'vault-token': ['s.' + fill('alnum', 24)],
  'github-token': [`ghs_12345_eyJ${fill('url', 20)}.${fill('url', 30)}.${fill('url', 30)}`],
  'gitlab-token': [`glpat-${fill('url', 27)}.${fill('lower', 9)}`, `glcbt-64_${fill('url', 20)}`],
  'sourcegraph-token': [`sgp_${fill('hex', 16)}_${fill('hex', 40)}`],
  'sidekiq-credentials': [
    'https://' + 'cafe1234:' + 'beef5678@gems.contribsys.com',
    'BUNDLE_GEMS__CONTRIBSYS__COM=' + 'cafe1234:' + 'beef5678',
  ],
  'infracost-key': ['ico-' + fill('alnum', 32)],
  'command-credentials': [
    command('http -a me:', ' example.com'),
    command('dotnet nuget push x.nupkg -k ', ' -s y'),
    command('cargo login a1'),
    command('curl -u admin:', ' https://example.org'),
    ...[
      'docker login -p ',
      'crane auth login -p ',
      'sshpass -p ',
      'mysql -p ',
      'mongo -p ',
      'redis-cli -a ',
    ].map((one) => command(one)),
    ...['ldapsearch -w ', 'sqlcmd -P ', 'ssh-keygen -N ', '7z a -p ', 'openssl -pass pass:'].map((one) =>
      command(one),
    ),
    ...['openssl enc -k ', 'gh secret set -b ', 'doctl auth init -t ', 'smbclient -U me%'].map((one) =>
      command(one),
    ),
    ...['secretsmanager create-secret --secret-string ', 'ssm put-parameter --value '].map((one) =>
      command(one),
    ),
    ...['htpasswd -bc file me ', 'rabbitmqctl add_user me ', 'vault login ', 'lftp -u me,'].map((one) =>
      command(one),
    ),
    ...['composer config http-basic.example.org me ', 'net user me ', 'net use \\\\nas\\x '].map((one) =>
      command(one),
    ),
    ...['useradd -p ', 'security add-generic-password -w ', 'wpa_passphrase home ', 'bindpw '].map((one) =>
      command(one),
    ),
    ...['enable secret 0 ', 'username me privilege 15 password 0 ', 'snmp-server community '].map((one) =>
      command(one),
    ),
    ...['requirepass ', 'sentinel auth-pass m ', 'ACL SETUSER me on >', '> AUTH me ', '::add-mask::'].map(
      (one) => command(one),
    ),
    command('mc alias set a https://example.org me '),
    command('ConvertTo-SecureString "', '" -AsPlainText -Force'),
    command('echo ', ' | docker login -u me --password-stdin'),
    command('docker login -u me --password-stdin <<< '),
    command('machine example.org login me password '),
    command('db.example.org:5432:app:me:'),
  ],
  password: [
    command("CREATE USER me IDENTIFIED BY '", "'"),
    command("ALTER ROLE me WITH PASSWORD '", "'"),
    command("new HTTPBasicAuth('me', '", "')"),
    command("mysqli_connect('db', 'me', '", "')"),
    command("CREATE LOGIN me WITH PASSWORD = N'", "'"),
    command('sqlplus me/', '@db'),
    command('expect "assword:" { send "', '\\r"'),
    `admin:Aa1${fill('alnum', 9)}`,
    command('"What is the password?"="', '7"'),
  ],
  'api-key': [
    `https://example.org/hook?key=${fill('alnum', 24)}`,
    command('h.insert("x-api-key", HeaderValue::from_static("', '"));'),
  ],
  'recovery-code': ['recovery code abcd1-efgh2', 'BitLocker recovery key: 123456-234567-345678-456789'],
  jwt: [`eyJ${fill('url', 30)}.eyJ${fill('url', 60)}.${fill('url', 43)}`, `ZXlK${fill('base64', 120)}`],
  jwe: [`eyJ${fill('url', 30)}..${fill('url', 16)}.${fill('url', 60)}.${fill('url', 22)}`],
  'url-credentials': [
    command('postgres://app:', '@db.internal:5432/app'),
    `https://${fill('alnum', 40)}@git.example.org/a/b`,
    command('app:', '@tcp(db:3306)/app'),
  ],
  authorization: [
    `Authorization: Bearer ${fill('alnum', 24)}`,
    `"Authorization": "Basic ${fill('base64', 24)}"`,
    `Bearer ${fill('alnum', 24)}`,
    `Basic ${Buffer.from('user:pass word').toString('base64')}`,
  ],
  'wallet-key': [`private key: 0x${fill('hex', 64)}`],
  'prefixed-token': [`acme_live_${fill('alnum', 32)}`],
  cookie: [
    `{"name": "session", "value": "${fill('alnum', 24)}"}`,
    `example.org\tFALSE\t/\tTRUE\t0\tsid\t${fill('alnum', 24)}`,
  ],
  'private-key': [
    Buffer.from(`-----BEGIN PRIVATE ${'KEY'}-----\n${fill('base64', 64)}\n`).toString('base64'),
    `MIIEpAIBAAKCAQEA${fill('base64', 200)}`,
    `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${fill('base64', 200)}`,
    `MHcCAQEEI${fill('base64', 120)}`,
    `MC4CAQAwBQYDK2VwBCIE${fill('base64', 44)}`,
    `b3BlbnNzaC1rZXktdjEAAAAA${fill('base64', 120)}`,
  ],
  'password-hash': [
    `$2b$12$${fill('alnum', 53)}`,
    `$apr1$${fill('alnum', 8)}$${fill('alnum', 22)}`,
    `$argon2id$v=19$m=65536,t=3,p=4$${fill('base64', 22)}$${fill('base64', 43)}`,
    `pbkdf2_sha256$600000$${fill('alnum', 22)}$${fill('base64', 43)}=`,
    `scrypt:32768:8:1$${fill('alnum', 16)}$${fill('hex', 128)}`,
    `{SSHA}${fill('base64', 32)}`,
    `{SSHA512}${fill('base64', 96)}`,
    `SCRAM-SHA-256$4096:${fill('base64', 22)}==$${fill('base64', 43)}=:${fill('base64', 43)}=`,
    `aad3b435b51404eeaad3b435b51404ee:${fill('hex', 32)}`,
  ],
  'slack-token': [
    ...['xoxb-', 'xoxp-', 'xoxe-1-'].map((prefix) => `${prefix}${fill('digit', 12)}-${fill('alnum', 24)}`),
    `xapp-1-A${fill('upper', 10)}-${fill('digit', 13)}-${fill('hex', 64)}`,
  ],
  'slack-webhook': [
    `https://hooks.slack.com/services/T${fill('upper', 8)}/B${fill('upper', 8)}/${fill('alnum', 24)}`,
  ],
  'discord-webhook': [`https://discord.com/api/webhooks/${fill('digit', 18)}/${fill('url', 68)}`],
  'discord-token': [`MTA${fill('alnum', 21)}.${fill('url', 6)}.${fill('url', 38)}`],
  'telegram-token': [`${fill('digit', 10)}:AA${fill('url', 33)}`],
  'teams-webhook': [
    `https://corp.webhook.office.com/webhookb2/${fill('hex', 36)}@${fill('hex', 36)}/IncomingWebhook/${fill('lower', 32)}/${fill('hex', 36)}`,
  ],
  'google-chat-webhook': [
    `https://chat.googleapis.com/v1/spaces/AAAA/messages?key=${fill('url', 39)}&token=${fill('url', 43)}`,
  ],
  'zapier-webhook': [`https://hooks.zapier.com/hooks/catch/${fill('digit', 7)}/${fill('lower', 7)}`],
  webhook: [`https://maker.ifttt.com/trigger/x/with/key/${fill('url', 22)}`],
  'sendgrid-key': [`SG.${fill('url', 22)}.${fill('url', 43)}`],
  'mailchimp-key': [`${fill('hex', 32)}-us18`],
  'firebase-key': [`AAAA${fill('url', 7)}:APA91b${fill('url', 134)}`],
  'newrelic-key': [`${fill('hex', 36)}FFFFNRAL`],
  'sentry-token': [`sntrys_eyJ${fill('base64', 100)}=_${fill('base64', 43)}`],
  'grafana-token': [`glc_eyJ${fill('base64', 60)}`],
  'onepassword-key': [`A3-${[6, 6, 5, 5, 5, 5].map((length) => fill('upper', length)).join('-')}`],
  'okta-token': [`SSWS 00${fill('url', 40)}`],
  'authress-key': [
    `sc_${fill('lower', 10)}.${fill('lower', 4)}.acc_${fill('lower', 10)}.${fill('lower', 40)}`,
  ],
  'age-key': [`AGE-SECRET-KEY-1${fill('upper', 58)}`, `AGE-SECRET-KEY-PQ-1${fill('upper', 58)}`],
  'salesforce-token': [`00D${fill('alnum', 12)}!${fill('alnum', 96)}`],
  'mapbox-token': [`sk.eyJ${fill('alnum', 60)}.${fill('alnum', 22)}`],
  'facebook-token': [`facebook ${fill('digit', 15)}|${fill('url', 27)}`],
  'twitter-bearer': ['A'.repeat(22) + fill('alnum', 80)],
  'maxmind-key': [`${fill('alnum', 6)}_${fill('alnum', 29)}_mmk`],
  'private-address': [`https://calendar.example.org/ical/me/private-${fill('hex', 32)}/basic.ics`],
  'openai-key': [`sk-${fill('alnum', 20)}${'T3Blbk' + 'FJ'}${fill('alnum', 20)}`],
  'huggingface-token': ['hf_' + fill('letter', 34)],
  'gemini-key': ['AQ.' + fill('url', 50)],
  'braintree-token': [`access_token$${'sandbox'}$${fill('lower', 16)}$${fill('hex', 32)}`],
  'messagebird-key': [`live_${fill('alnum', 25)}`],
};
