import { describe, expect, it } from 'vitest';
import { rules } from '#redact/rules';
import { fill, samplesOf } from '../../../test/support/secrets.ts';
import { looksRandom } from '../form/value.ts';
import { redactText } from './index.ts';

const key = fill('alnum', 40, 3);
const slashed = `${fill('alnum', 19, 5)}/${fill('alnum', 12, 9)}+${fill('alnum', 7, 4)}`;
const password = fill('alnum', 12, 7);

describe('a key that somebody hands over in a sentence', () => {
  it.each([
    (v: string) => `Here is my API key: ${v}, please put it into the settings.`,
    (v: string) => `I got a new API key ${v} from the console, use it.`,
    (v: string) => `use ${v} as the API key for the server`,
    (v: string) => `the private key is ${v}`,
    (v: string) => `my PAT is ${v}`,
    (v: string) => `set CLOUDFLARE_API_TOKEN to ${v}`,
    (v: string) => `SESSION_SECRET has to be ${v}`,
    (v: string) => `put ${v} in DEPLOY_TOKEN`,
    (v: string) => `Hier ist mein API-Schlüssel: ${v}, bitte eintragen`,
    (v: string) => `La clé secrète est ${v}.`,
    (v: string) => `Esta es la clave de API: ${v}, ponla en la configuración.`,
    (v: string) => `a chave de acesso é ${v}`,
    (v: string) => `La chiave API è ${v}`,
    (v: string) => `de geheime sleutel is ${v}`,
    (v: string) => `секретный ключ: ${v}`,
    (v: string) => `Ключ доступу: ${v}, додай`,
    (v: string) => `token dostępu to ${v}`,
    (v: string) => `gizli anahtarım ${v}`,
    (v: string) => `API密钥是${v}，请写进配置。`,
    (v: string) => `秘密鍵は ${v} です`,
    (v: string) => `API 키는 ${v}입니다`,
    (v: string) => `khóa bí mật là ${v}`,
    (v: string) => `הטוקן שלי הוא ${v}`,
    (v: string) => `المفتاح السري: ${v}`,
    (v: string) => `no, use ${v} instead, the old token is revoked`,
    (v: string) => `nein, nimm ${v}, der alte Schlüssel ist gesperrt`,
    (v: string) => `不对,用${v},之前的密钥已经作废了`,
    (v: string) => `用这个API密钥${v}调用服务`,
    (v: string) => `the client secret is\n${v}\nput it into the settings`,
    (v: string) => `El secreto del cliente es:\n${v}\nponlo en el archivo`,
    (v: string) => `客户端密钥如下:\n${v}\n请写进文件`,
    (v: string) => `シークレットは次の通りです。\n${v}\n追加してください`,
  ])('%s', (sentence) => {
    for (const value of [key, slashed]) {
      const { text, redactions } = redactText(sentence(value));
      expect(redactions).toBe(1);
      expect(text.replace(/<redacted:[a-z]+>/, value)).toBe(sentence(value));
    }
  });

  it.each(
    [
      ['contraseña=', 'clave: ', 'mot de passe=', '口令：', 'mật khẩu: ', 'סיסמה: ', 'كلمة المرور: '],
      ['parola d’ordine: ', 'passord: ', 'mdp ', 'пароль от базы ', 'şifremiz ', '비밀번호는 '],
    ].flat(),
  )('%s with a password', (label) => {
    expect(redactText(`${label}${password}`).text).toMatch(/<redacted:(?:password|secret)>$/);
  });

  it.each([
    ['why does the token % return 401?', fill('hex', 36)],
    ['トークン%を渡しても401になる', fill('hex', 40)],
    ['user=bob password=% attempt=3', 'hunter2'],
    ['https://x/?user=bob&password=%&page=1', 'Sommer2024'],
    ['the password is %', 'Blue_horse77'],
    ['the master password is %', 'correct-mango-stapler-river'],
    ['PIN码是%,测试里用它', '571862'],
    ['暗証番号は%です', '8350'],
    ['use mysql://root:%@10.0.3.7:3306/sales here', 'bR4x/Tq+8mZ'],
  ])('%s', (sentence, value) => {
    const { text } = redactText(sentence.replace('%', value));
    expect(text.replace(/<redacted:[a-z-]+>/, '%')).toBe(sentence);
  });

  const strong = `Cedar8${fill('digit', 3, 2)}!${fill('lower', 2, 4)}`;
  const hex = fill('hex', 64, 5);
  it.each([
    // A correction, the value on either side of the old one.
    ...['no, try % instead, the old password expired', 'nein, nimm % statt des alten Passworts'],
    ...["non, mets % à la place de l'ancien mot de passe", 'no, usa % en lugar de la contraseña anterior'],
    ...['não, a senha antiga não vale, usa %', 'no, usa invece %, la vecchia password non va'],
    ...[
      'нет, возьми % вместо старого пароля',
      '不，旧密码作废了，改用%',
      'いや、%を使って。以前のパスワードは無効です',
    ],
    ...[
      '아니, 예전 비밀번호 말고 %를 써',
      'nie, weź % zamiast starego hasła',
      'hayır, % kullan, eski şifre geçersiz',
    ],
    // The value first.
    ...[
      '% ist das Passwort für die Datenbank',
      '% è la password della base',
      "%, c'est le mot de passe du serveur",
    ],
    ...['% — пароль администратора', '% 是数据库密码', '% が管理者のパスワードです', '%가 새 비밀번호입니다'],
    // A cell of a table, and the particles of other scripts behind a name.
    ...['| mot de passe | `%` |', '|пароль|`%`|', '| パスワード | `%` |'],
    ...['DB_PASSWORD를 %로 바꿔 줘', 'DB_PASSWORDを%に設定', '将DB_PASSWORD改成%', 'ändere DB_PASSWORD zu %'],
  ])('%s', (sentence) => {
    const { text } = redactText(sentence.replace('%', strong));
    expect(text.replace(/<redacted:[a-z-]+>/, '%')).toBe(sentence);
  });

  it.each([
    ...['% is our access token', "% est mon jeton d'accès", '% es mi token nuevo'],
    ...['% é o meu token de acesso', '% è il mio token personale', '% — это мой токен', '% to mój token'],
    ...[
      '% 就是我的令牌，用它',
      '%が私のトークンです。',
      '% 이 제 토큰이에요',
      '% benim token, kullan',
      '% is mijn token',
    ],
    ...[
      'imposta BUILD_TOKEN a %',
      'setze BUILD_TOKEN auf % und baue',
      'pon BUILD_TOKEN a %',
      'mets BUILD_TOKEN à %',
    ],
    ...[
      'muda BUILD_TOKEN para %',
      'поменяй BUILD_TOKEN на %',
      '把 BUILD_TOKEN 设为 %',
      'BUILD_TOKENを%に変更して',
    ],
    ...[
      'BUILD_TOKEN을 %로 설정해',
      'BUILD_TOKEN değerini % yap',
      'usa % como BUILD_TOKEN',
      '用 % 作为 BUILD_TOKEN',
    ],
    ...['APIキーはこちらです：%、よろしく', '이게 API 키예요: %, 넣어 줘', '我的API密钥是这个:%,请写进去'],
    ...[
      'ma clé API est la suivante : %, merci',
      'mi clave de API es esta: %, ponla',
      'мой ключ API такой: %, вставь',
    ],
  ])('%s', (sentence) => {
    for (const value of [key, hex]) {
      const { text } = redactText(sentence.replace('%', value));
      expect(text.replace(/<redacted:[a-z-]+>/, '%')).toBe(sentence);
    }
  });

  it.each([
    ...[
      'this is the new client secret\n\n%',
      '## Access token\n`%`',
      'Voici le jeton\n%',
      'Token: <%>',
      'API key: [%]',
    ],
    ...[
      'the bearer is %',
      'the authorization header should be %',
      'unseal key 2: %',
      "the maps API key, it's now %",
    ],
  ])('%s', (sentence) => {
    expect(redactText(sentence.replace('%', key)).text.replace(/<redacted:[a-z-]+>/, '%')).toBe(sentence);
  });

  it.each([
    ...['API keys: %, %', 'the tokens are % and %', 'first key %, second key %', 'swap the token % for %'],
    ...[
      'remplace la clé API % par %',
      'My access tokens:\n- mail: %\n- maps: %\n',
      'die API-Schlüssel % und %',
    ],
  ])('%s', (sentence) => {
    const values = [key, slashed];
    const { text } = redactText(sentence.replace(/%/g, () => values.shift() ?? ''));
    expect(text.replace(/<redacted:[a-z-]+>/g, '%')).toBe(sentence);
  });

  it.each([
    ...['the db pass is %', 'log in there (user kim, pass %) please', 'the password changed to %'],
    ...['melde dich als kim mit % an', 'パス→ %', 'the pasword is %'],
    ...['A temporary password is generated for root@localhost: %'],
  ])('%s', (sentence) => {
    expect(redactText(sentence.replace('%', strong)).text.replace(/<redacted:[a-z-]+>/, '%')).toBe(sentence);
  });

  it.each([
    ['the passphrase for the disk is %, write it down', 'correct mango battery saddle'],
    ['die Passphrase lautet %.', 'Ofen Birne Wolke Hammer'],
    ['la frase segreta è %', 'sasso finestra zebra tovaglia'],
    ['парольная фраза: %', 'облако трактор рыба зебра'],
    ['パスフレーズは %です', 'orbit velvet pickle canyon'],
    ['大门的 PIN 码是 %', '730164'],
    ['PIN: %, for the test card', '7301'],
    ['PIN 번호는 %입니다', '7301'],
  ])('%s', (sentence, value) => {
    const { text } = redactText(sentence.replace('%', value));
    expect(text.replace(/<redacted:[a-z-]+>/, '%')).toBe(sentence);
  });

  it.each([
    'the key is src/a/b.ts',
    `Rotate the API token\n${fill('hex', 40)}`,
    '# API key\nsrc/auth/apiKey2.ts',
    'Token\nOAuth2TokenStore',
    'password\nPassword123Validator',
    'Token: <YOUR_TOKEN_2024>',
    'Changes to the token\nsrc/token2.ts | 4 ++--',
    'API keys: stripe, mail and sendgrid2',
    'the tokens are access_token and refresh_token2',
    'tests pass 42/42',
    'user kim, pass 12 tests',
    'Here are the keys:\n- name: userId2\n- id: orderId3\n',
    'const token = p256KeyToRaw32(k)',
    'password = getPass2Word3(x)',
    'NuGet login\t2026-08-12T21:14:05.1234567Z done',
    'curl http://x/y; at="$(date -u +%Y-%m-%dT%H:%M:%SZ)"',
    'f(user=user1, password=password2, page=3)',
    'pass=12345 fail=3',
    `Add new upstream signing key ${fill('hex', 40).toUpperCase()} to the list`,
    'Passwort: erforderlich\nBenutzername: erforderlich',
    '{"password": "Passwort"}',
    `no, use ${fill('hex', 40)} instead, that commit has the token bug`,
    'The private key is in /etc/ssl/private/server-2025-11.key',
    'the token is expired',
    'API key: see docs/keys.md',
    'password: see the vault',
    'set TOKEN_URL to https://login.example.com/oauth2/token',
    'set API_TOKEN to process.env.API_TOKEN2',
    'The key is Ctrl+Shift+F12',
    'the primary key is userId2OrderId3',
    `the public key is ${key}`,
    `la clé publique est ${key}`,
    `公钥：${key}`,
    'Der Schlüssel ist src/i18n/de/common.json',
    'ключ к успеху: терпение',
    '密钥：见 docs/keys.md',
    'パスワードは12文字以上です',
    'el color de la contraseña es #e63946, cámbialo',
    'the passphrase is stored inside the keychain',
    'the passphrase is six random dictionary words',
    'die Passphrase ist immer noch dieselbe wie gestern',
    'la frase secreta es distinta para cada máquina',
    'парольная фраза хранится только внутри связки ключей',
    'no, use src/auth/password2.ts instead, the old password file is gone',
    'nein, nimm v2.3.1, das alte Passwort-Modul ist kaputt',
    'no, session 7c1e9a44-2f0b-4c1d-9a3e-51b7d0c2f8a6 has no token',
    `${fill('hex', 40)} is the hash of the token`,
    `${fill('hex', 40)} est le commit qui corrige le jeton`,
    `${fill('hex', 40)} — token`,
    `${fill('hex', 40)} 是修复令牌的提交`,
    `${fill('hex', 40)} はトークンのハッシュです`,
    'pon DB_PASSWORD en staging-eu1',
    '| contraseña | `varchar` |',
    'pin the version to 2024',
    `request ${'7c1e9a44-2f0b-4c1d-9a3e-51b7d0c2f8a6'} has no token`,
  ])('is not seen in %j', (sentence) => {
    expect(redactText(sentence)).toEqual({ text: sentence, redactions: 0, kinds: {} });
  });
});

describe('a token with an unmistakable prefix inside a word', () => {
  const glued = rules.filter(({ at, before }) => (at === 'anywhere' || at === 'part') && before === 0);
  const samples = glued.flatMap((rule) =>
    samplesOf(rule).flatMap((sample) => {
      const prefix = rule.keywords.find((keyword) => sample.toLowerCase().startsWith(keyword)) ?? '';
      return looksRandom(sample.slice(prefix.length)) ? [{ kind: rule.name, sample }] : [];
    }),
  );

  it.each(samples)('$kind is found', ({ sample }) => {
    for (const place of ['job-%', 'old_%', 'keys/%', '**%**', '~~%~~', 'id=2025-11-25-%']) {
      const { text } = redactText(`see ${place.replace('%', sample)} now`);
      expect(text, place).not.toContain(sample);
      expect(text).toMatch(/^see .*<redacted:[a-z0-9-]+>.* now$/);
    }
  });

  it.each([
    'task-force-of-the-whole-company-2025',
    'skill_live_reload_of_the_whole_page',
    `task-${fill('hex', 40)}`,
    `web-${fill('hex', 40)}`,
    'dist/assets/index-BqX3kd9a.js',
    'gsk_is_a_prefix_and_so_is_hf_and_npm_and_xai',
    'AQ.AbstractQueueProcessorFactoryBeanDefinition',
  ])('is not seen in %j', (text) => {
    expect(redactText(`see ${text} now`).redactions).toBe(0);
  });

  it('is found where it ends a sentence or an emphasis', () => {
    const discord = `MTk4${fill('alnum', 20, 3)}.G${fill('alnum', 5)}.${fill('url', 38, 9)}`;
    for (const end of ['. Try it.', '...', '?', '."'])
      expect(redactText(`I use ${discord}${end}`).text).toBe(`I use <redacted:discord-token>${end}`);
    const google = `AIzaSy${fill('url', 33, 5)}`;
    expect(redactText(`_${google}_ and ${google}-old`).text).not.toContain(google);
  });
});
