import { fill, patterned, type Rule } from '../rule.ts';
import { isPlaceholder, looksRandom } from '../value.ts';

/** The text between a command and its option, over continued lines. */
const gap = '(?:[^|;&\\n\\\\]|\\\\(?:\\r\\n|[\\s\\S])){0,300}?';
const blank = '(?:[ \\t=]|\\\\\\r?\\n|\\\\n){1,40}';
/** The secret: a word of a command line, quoted or not. */
const word =
  '\\\\?["\']?((?<=")[^"\\n$\\\\]{3,256}(?=\\\\?")|(?<=\')[^\'\\n]{3,256}(?=\')|[^\\s"\'`$<\\\\|;][^\\s"\'`\\\\|;]{2,256})';

/** Secrets in options and arguments of commands. */
export const commandRules: readonly Rule[] = [
  // curl(1): -u user:password. With an empty password the user is the key.
  patterned(
    'command-credentials',
    [' -u', '--user', '--proxy-user', '\\n-u', '"-u'],
    /(?:[ "]|\\n)?(?:-u|--(?:proxy-)?user)(?:[ =\t]|\\["'],?|["'],){0,40}(?![ =\t])\\?["']?([^\s"':$<{[]{0,256}\\?["']?:\\?["']?[^\s"'<$[]{1,128}|[^\s"':$<{[]{8,128}:(?=["']))/,
    () => [`curl -u admin:${fill('alnum', 12)} https://example.org`],
    { check: (secret, { text, start }) => isUserAndPassword(secret) && nearCurl(text, start) },
  ),
  option(
    'docker|podman|nerdctl|skopeo|buildah|oras|cf|oc|ibmcloud|az|crane auth|helm registry'
      .split('|')
      .map((program) => `${program} login`),
    '-p',
  ),
  option(['sshpass'], '-p', 'attached'),
  option(['mysql', 'mysqldump', 'mariadb', 'mysqladmin'], '-p', 'attached', (value) =>
    /\d|[^\w-]/.test(value),
  ),
  option(['mongo', 'mongosh', 'mongodump', 'mongorestore', 'mongoexport', 'mongoimport', 'cqlsh'], '-p'),
  option(['redis-cli', 'valkey-cli'], '-a'),
  option(
    ['ldapsearch', 'ldapmodify', 'ldapadd', 'ldapdelete', 'ldapwhoami', 'ldappasswd', 'ldapcompare'],
    '-w',
  ),
  option(
    ['sqlcmd', 'bcp', 'tsql', 'osql', 'mosquitto_pub', 'mosquitto_sub', 'zip', 'unzip', 'ssh-keygen'],
    '-P',
  ),
  option(['ssh-keygen'], '-N'),
  option(['7z a', '7z x', '7za a', '7za x', 'rar a', 'unrar x'], '-h?p', 'attached', (value) =>
    /\d|[^\w-]/.test(value),
  ),
  option(['openssl'], '-(?:pass|passin|passout)', 'pass:'),
  option(['openssl enc'], '-k'),
  option(['gh secret set'], '(?:-b|--body)', 'attached'),
  option(['secretsmanager create-secret', 'secretsmanager put-secret-value'], '--secret-string'),
  option(
    ['ssm put-parameter'],
    '--value',
    '',
    (value, text) => /SecureString|pass|secret|token|key/i.test(text) || looksRandom(value),
  ),
  option(['doctl auth init'], '(?:-t|--access-token)'),
  option(['smbclient', 'rpcclient'], '-U', '[^\\s%"\']{1,64}%'),
  // Positional arguments.
  argument(['htpasswd -'], 'htpasswd -[a-zA-Z]{0,4}b[a-zA-Z]{0,4} \\S{1,200} \\S{1,64} '),
  argument(['rabbitmqctl '], 'rabbitmqctl (?:add_user|change_password) \\S{1,64} '),
  argument(['http-basic.'], 'http-basic\\.\\S{1,100} \\S{1,64} '),
  argument(['mc alias set '], 'mc alias set \\S{1,64} \\S{1,200} \\S{1,128} '),
  argument(['vault login '], 'vault login (?!-)(?:token=)?'),
  argument(['lftp '], 'lftp -u ["\']?[^\\s,"\']{1,64},'),
  argument(['net user '], 'net user \\w{1,64} ', (value) => !/^[/*]/.test(value)),
  argument(
    ['convertto-securestring'],
    'ConvertTo-SecureString(?: -String)?(?=[^\\n]{0,300}-AsPlainText) (?!-)',
  ),
  // Piped to a command that reads a password from stdin.
  patterned(
    'command-credentials',
    ['echo ', 'printf '],
    new RegExp(
      `(?:echo|printf)(?: -[neE]{1,3})?(?: ["']?%s(?:\\\\\\\\{1,2}n)?["']?)? ${word}["']?[ \\t]{0,4}\\|[^\\n|]{0,120}?(?:--?password-stdin|--with-token|sudo (?:-\\w )?(?:-S|--stdin)|(?:gh|docker|wrangler) secret|vercel env add|chpasswd|passwd --stdin|smbpasswd -\\w{0,3}s)`,
    ),
    () => [`echo ${fill('alnum', 12)} | docker login -u me --password-stdin`],
    { check: isRealValue },
  ),
  patterned(
    'command-credentials',
    ['--password-stdin', '--with-token', 'sudo -s', 'gh secret set'],
    new RegExp(`(?:--password-stdin|--with-token|sudo -S|gh secret set)[^\\n<]{0,120}?<<< ?${word}`),
    () => [`docker login -u me --password-stdin <<< ${fill('alnum', 12)}`],
    { check: isRealValue },
  ),
  // The .netrc of ftp(1) and curl(1).
  patterned(
    'command-credentials',
    ['machine '],
    /machine[ \t]{1,20}\S{1,256}\s{1,40}(?:login[ \t]{1,20}\S{1,256}\s{1,40})?password[ \t]{1,20}(\S{1,256})/,
    () => [`machine example.org login me password ${fill('alnum', 12)}`],
    { check: isRealValue },
  ),
  // PostgreSQL's password file: host:port:database:user:password.
  patterned(
    'command-credentials',
    [':5432:', ':5433:', ':6432:', ':*:'],
    /(?<![^\s"'`n+:→|>m-])[\w.*-]{1,128}:(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:((?:[^\s"'`:\\]|\\[:\\]){3,256})(?=\s|\\[nr]|["'`]|$)/,
    () => [`db.example.org:5432:app:me:${fill('alnum', 12)}`],
    { before: 128, check: isRealValue },
  ),
  // SQL: the password of a user or role.
  patterned(
    'password',
    ['identified ', 'password '],
    /(?:identified(?: with ["'`]?\w{1,40}["'`]?)? (?:by|as)(?: password)?|(?<=\b(?:user|role|login|encrypted|with|set|alter|create|for)\b[^\n;]{0,120})password)\s{0,20}=?\s{0,20}\\?'([^'\n\\]{1,256})'/i,
    () => [
      `CREATE USER me IDENTIFIED BY '${fill('alnum', 12)}'`,
      `ALTER ROLE me WITH PASSWORD '${fill('alnum', 12)}'`,
    ],
    { check: isRealValue },
  ),
];

/**
 * A secret after `flag` of one of `programs`. `before`: `attached` if the flag may touch it (`-pX`), else a
 * pattern before it (`pass:`).
 */
function option(
  programs: readonly string[],
  flag: string,
  before = '',
  isSecret: (value: string, text: string) => boolean = () => true,
): Rule {
  const attached = before === 'attached';
  const source = `(?<![\\w/-])(?:${programs.map((program) => program.replace(/[.]/g, '\\.')).join('|')})(?=\\s|\\\\)${gap}(?:\\s|\\\\n)${flag}${attached ? `(?:${blank})?` : blank}${attached ? '' : before}${word}`;
  const [program = ''] = programs;
  const written = flag
    .replace(/^\(\?:([^|]*)\|.*$/, '$1')
    .replace('h?', '')
    .replace(/^-\(\?:([^|]*).*$/, '-$1');
  const start = before === 'pass:' ? 'pass:' : before.includes('%') ? 'me%' : '';
  return patterned(
    'command-credentials',
    programs,
    new RegExp(source),
    () => [`${program} ${written} ${start}${fill('alnum', 12)}`],
    {
      check: (value, { text, start: at }) => isRealValue(value) && isSecret(value, text.slice(at, at + 400)),
    },
  );
}

/** A secret directly after what `before` matches. */
function argument(
  keywords: readonly string[],
  before: string,
  isSecret: (value: string) => boolean = () => true,
): Rule {
  const samples: Record<string, string> = {
    'htpasswd -': 'htpasswd -bc file me ',
    'rabbitmqctl ': 'rabbitmqctl add_user me ',
    'http-basic.': 'composer config http-basic.example.org me ',
    'mc alias set ': 'mc alias set a https://example.org me ',
    'lftp ': 'lftp -u me,',
    'net user ': 'net user me ',
    'convertto-securestring': 'ConvertTo-SecureString "',
  };
  const [keyword = ''] = keywords;
  const end = keyword === 'convertto-securestring' ? '" -AsPlainText -Force' : '';
  return patterned(
    'command-credentials',
    keywords,
    new RegExp(before + word),
    () => [`${samples[keyword] ?? keyword}${fill('alnum', 12)}${end}`],
    { check: (value) => isRealValue(value) && isSecret(value) },
  );
}

function isRealValue(value: string): boolean {
  return !isPlaceholder(value) && !value.startsWith('-');
}

function nearCurl(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 1_000), start + 1);
  // Most texts hold none of them, and `includes` is much faster.
  const isNear = ['curl', 'http', 'wget', 'xh'].some((command) => before.includes(command));
  return isNear && /(?:\b|\\[nrt])(?:curl|https?|xh|wget)\b/.test(before);
}

function isUserAndPassword(value: string): boolean {
  const [user = '', ...rest] = value.replace(/["'\\]/g, '').split(':');
  const password = rest.join(':');
  if (password === '') return user.length >= 8 && !isPlaceholder(user);
  if (password.startsWith('$') || password.startsWith('{{')) return false;
  return (
    !isPlaceholder(password) &&
    !/^(?:pass|password|passwd|token|test|secret)$/i.test(password) &&
    password.length >= 4
  );
}
