import { isPlaceholder, looksLikePath, looksRandom, type Rule, rowsOf, ruleOf } from '#redact/form';

/** The text between a command and its option, over continued lines. */
const gap = '(?:[^|;&\\n\\\\]|\\\\(?:\\r\\n|[\\s\\S])){0,300}?';
const blank = '(?:[ \\t=]|\\\\\\r?\\n|\\\\n){1,40}';
/** The secret: a word of a command line, quoted or not. */
const word =
  '\\\\?["\']?((?<=")[^"\\n$\\\\]{3,256}(?=\\\\?")|(?<=\')[^\'\\n]{3,256}(?=\')|[^\\s"\'`$<\\\\|;][^\\s"\'`\\\\|;]{2,256})';

/** Programs, the option that takes a secret, what stands before it (`attached`: the option may touch it, as in `-pX`), and a check. */
const optionTable = String.raw`
  twine upload|vsce publish|docker login|podman login|nerdctl login|skopeo login|buildah login|oras login|cf login|oc login|ibmcloud login|az login  -p
  crane auth login|helm registry login  -p
  sshpass  -p  attached
  nuget push  -k
  useradd|usermod  -p
  security add-generic-password|security add-internet-password  -w
  mysql|mysqldump|mariadb|mysqladmin  -p  attached  mixed
  mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|cqlsh  -p
  redis-cli|valkey-cli  -a
  ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami|ldappasswd|ldapcompare  -w
  ipmitool|sqlcmd|bcp|tsql|osql|mosquitto_pub|mosquitto_sub|zip|unzip|ssh-keygen  -P
  ssh-keygen  -N
  7z a|7z x|7za a|7za x|rar a|unrar x  -h?p  attached  mixed
  openssl  -(?:pass|passin|passout)  pass:
  openssl enc  -k
  gh secret set  (?:-b|--body)  attached
  secretsmanager create-secret|secretsmanager put-secret-value  --secret-string
  ssm put-parameter  --value  (?:)  secure
  doctl auth init  (?:-t|--access-token)
  smbclient|rpcclient  -U  [^\s%"']{1,64}%
`;

/** Commands whose secret is a word without an option: how they begin, all that stands before the secret, and a check. */
const argumentTable = String.raw`
  htpasswd -  htpasswd -[a-zA-Z]{0,4}b[a-zA-Z]{0,4} \S{1,200} \S{1,64}\x20
  rabbitmqctl  rabbitmqctl (?:add_user|change_password) \S{1,64}\x20
  http-basic.  http-basic\.\S{1,100} \S{1,64}\x20
  mc alias set  mc alias set \S{1,64} \S{1,200} \S{1,128}\x20
  vault login|cargo login|snyk auth|bw unlock|bw login  (?:vault login|cargo login|snyk auth|bw unlock|bw login \S{1,64}) (?!-)(?:token=)?  strong
  http -a|http --auth|https -a|xh -a  (?:https?|xhs?) (?:-a|--auth)[ =]["']?[\w.@-]{1,64}:
  lftp  lftp -u ["']?[^\s,"']{1,64},
  requirepass|masterauth  (?:requirepass|masterauth) (?:to )?["']?
  auth-pass  auth-pass \S{1,64}\x20
  acl setuser| on >| on +| on ~  (?:ACL SETUSER \S{1,64}| on) (?:[^\s>]\S{0,60} ){0,12}>  strong
  auth\x20  (?<=^|\\n|[\n>"'] ?)AUTH (?:[\w-]{1,32} )?  strong
  ::add-mask::|issecret=true]  (?:::add-mask::|issecret=true\])
  net user  net user \w{1,64}\x20  unslashed
  net use\x20  net use (?:\S: )?\\{2,4}\S{1,128} (?:\/user:\S{1,64}\x20)?  unslashed
  wpa_passphrase  wpa_passphrase \S{1,64}\x20
  bindpw|wpa-psk|rootpw  (?:bindpw|wpa-psk|rootpw)(?::? {1,8}|:)  strong
  enable secret|enable password|username  (?:enable|username \S{1,64}(?: privilege \d{1,2})?) (?:secret|password) (?:\d )?  strong
  snmp-server community  snmp-server community\x20
  convertto-securestring  ConvertTo-SecureString(?: -String)?(?=[^\n]{0,300}-AsPlainText) (?!-)
`;

const checks: Readonly<Record<string, (value: string, text: string) => boolean>> = {
  mixed: (value, text) => /\d|[^\w-]/.test(value) || text.replace(/["']/g, '').includes(`-p${value}`),
  secure: (value, text) => /SecureString|pass|secret|token|key/i.test(text) || looksRandom(value),
  strong: (value) => value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !looksLikePath(value),
  unslashed: (value) => !/^[/*]/.test(value),
};

/** Secrets in options and arguments of commands. */
export const commandRules: readonly Rule[] = [
  // curl(1): -u user:password. With an empty password the user is the key.
  ruleOf(
    'command-credentials',
    [' -u', '--user', '--proxy-user', '\\n-u', '"-u'],
    /(?:[ "]|\\n)?(?:-u|--(?:proxy-)?user)(?:[ =\t]|\\["'],?|["'],){0,40}(?![ =\t])\\?["']?([^\s"':$<{[]{0,256}\\?["']?:\\?["']?[^\s"'<$[]{1,128}|[^\s"':$<{[]{8,128}:(?=["']))/,
    { check: (secret, { text, start }) => isUserAndPassword(secret) && nearCurl(text, start) },
  ),
  ...rowsOf(optionTable).map(([programs = '', flag = '', before = '', check = '']) => {
    const start = `(?<![\\w/-])(?:${programs})(?=\\s|\\\\)${gap}(?:\\s|\\\\n)${flag}`;
    return credentials(
      programs.split('|'),
      start + (before === 'attached' ? `(?:${blank})?` : blank + before),
      check,
    );
  }),
  ...rowsOf(argumentTable).map(([keyword = '', before = '', check = '']) =>
    credentials(keyword.replace('\\x20', ' ').split('|'), before, check),
  ),
  // Piped to a command that reads a password from stdin.
  credentials(
    ['echo ', 'printf '],
    `(?:echo|printf)(?: -[neE]{1,3})?(?: ["']?%s(?:\\\\\\\\{1,2}n)?["']?)? `,
    '',
    `["']?[ \\t]{0,4}\\|[^\\n|]{0,120}?(?:--?password-stdin|--with-token|sudo (?:-\\w )?(?:-S|--stdin)|(?:gh|docker|wrangler) secret|vercel env add|chpasswd|passwd --stdin|smbpasswd -\\w{0,3}s)`,
  ),
  credentials(
    ['--password-stdin', '--with-token', 'sudo -s', 'gh secret set', 'secret put', 'pass insert', 'chpasswd'],
    '(?:--password-stdin|--with-token|sudo -S|gh secret set|secret put|pass insert|chpasswd)[^\\n<]{0,120}?<<< ?',
  ),
  // The .netrc of ftp(1) and curl(1).
  ruleOf(
    'command-credentials',
    ['machine '],
    /machine[ \t]{1,20}\S{1,256}\s{1,40}(?:login[ \t]{1,20}\S{1,256}\s{1,40})?password[ \t]{1,20}(\S{1,256})/,
    { check: isRealValue },
  ),
  // PostgreSQL's password file: host:port:database:user:password.
  ruleOf(
    'command-credentials',
    [':5432:', ':5433:', ':6432:', ':*:'],
    /(?<![^\s"'`n+:→|>m-])[\w.*-]{1,128}:(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:((?:[^\s"'`:\\]|\\[:\\]){3,256})(?=\s|\\[nr]|["'`]|$)/,
    { before: 128, check: isRealValue },
  ),
  // SQL: the password of a user or role.
  ruleOf(
    'password',
    ['identified ', 'password '],
    /(?:identified(?: with ["'`]?\w{1,40}["'`]?)? (?:by|as)(?: password)?|(?<=\b(?:user|role|login|encrypted|with|set|alter|create|for)\b[^\n;]{0,120})password)\s{0,20}=?\s{0,20}(?:password\()?\\?["'](?![\s).,:;+])([^"'\n\\]{1,256})["'\\]/i,
    { check: isRealValue },
  ),
];

/** A word of a command line after what `before` matches. */
function credentials(keywords: readonly string[], before: string, check = '', after = ''): Rule {
  const isSecret = checks[check] ?? (() => true);
  return ruleOf('command-credentials', keywords, new RegExp(before + word + after), {
    check: (value, { text, start }) => isRealValue(value) && isSecret(value, text.slice(start, start + 400)),
  });
}

function isRealValue(value: string): boolean {
  return !isPlaceholder(value) && !value.startsWith('-');
}

function nearCurl(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 1_000), start + 1);
  // Most texts hold none of them, and `includes` is much faster.
  const isNear = ['curl', 'http', 'wget', 'xh'].some((command) => before.includes(command));
  return isNear && /(?:\b|\\[nrt])(?:curl|https?|xh|wget)\b(?!:)/.test(before);
}

function isUserAndPassword(value: string): boolean {
  const [user = '', ...rest] = value.replace(/["'\\]/g, '').split(':');
  const password = rest.join(':');
  // The format of `date -u`.
  if (user.startsWith('+')) return false;
  if (password === '') return user.length >= 8 && !isPlaceholder(user);
  if (password.startsWith('$') || password.startsWith('{{')) return false;
  return (
    !isPlaceholder(password) &&
    !/^(?:pass|password|passwd|token|test|secret)$/i.test(password) &&
    password.length >= 4
  );
}
