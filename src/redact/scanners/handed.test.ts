import { describe, expect, it } from 'vitest';
import { redactText } from '#redact/engine';
import { fill } from '../../../test/support/secrets.ts';

const password = 'Pebble-crane47';
const token = `${fill('alnum', 23, 5)}7`;

function expectGone(text: string, secret: string): void {
  const { text: shown } = redactText(text);
  expect(shown).not.toContain(secret);
  expect(redactText(shown).redactions).toBe(0);
}

describe('a password by the way it is handed over', () => {
  it.each([
    (v: string) => `I changed the password of the mail server to ${v} this morning`,
    (v: string) => `Heslo serveru jsem změnil na ${v}, vyzkoušej to`,
    (v: string) => `when it asks for the password, type ${v}`,
    (v: string) => `wifi of the office: network is Upstairs, key is ${v}, it is slow`,
    (v: string) => `WLAN heißt Oben, Schlüssel ${v}, bitte merken`,
    (v: string) => `the secret word is ${v}`,
    (v: string) => `the archive unlocks with ${v}, look into it`,
    (v: string) => `access code is ${v}`,
    (v: string) => `sign in as demo using ${v}`,
    (v: string) => `Log in to the build server as demo (${v}) and look`,
    (v: string) => `creds: demo ${v}`,
    (v: string) => `user: demo\npass: ${v}`,
    (v: string) => `use demo:${v} for basic auth`,
    (v: string) => `admin:${v} works`,
    (v: string) => `पासवर्ड ${v} है`,
    (v: string) => `lozinka je ${v}`,
    (v: string) => `ho cambiato la password da prova1 a ${v} ma non va`,
    (v: string) => `la clave del wifi de arriba es '${v}'`,
    (v: string) => `login for the mail server: demo42 / ${v}`,
    (v: string) => `mat_khau=${v}`,
    (v: string) => `| host | 用户 | 密码 |\n|---|---|---|\n| a | demo | ${v} |`,
  ])('%s', (sentence) => expectGone(sentence(password), password));

  it.each(['Copper.Kettle9', 'Copper_Kettle9', 'Copper_Kettle#9'])('joined as a name is: %s', (value) =>
    expectGone(`la password del server è ${value}, grazie`, value),
  );

  it('is a phrase of twelve words', () => {
    const words = 'river apple stone candle forest window garden silver mirror ladder copper basket';
    expectGone(`the seed phrase is: ${words} - import it`, words);
    expectGone(`mnemonic: ${words}`, words);
  });
});

describe('a key by the way it is handed over', () => {
  const hex = `5${fill('hex', 31)}`;
  it.each([
    (v: string) => `高德地图的key：${v}`,
    (v: string) => `vervang "changeme" door ${v} in het bestand`,
    (v: string) => `troquei o webhook secret pra ${v} e não bate`,
    (v: string) => `استخدم ${v} كمفتاح سري للتوقيع`,
    (v: string) => `{"clave_secreta": "${v}"}`,
    (v: string) => `chavePrivadaApp = "${v}"`,
    (v: string) => `| service | login | pass |\n|---|---|---|\n| mq | demo | ${v} |`,
  ])('%s', (sentence) => expectGone(sentence(hex), hex));
});

describe('what has only the form of it', () => {
  it.each([
    'der Schlüssel SHA256:uNiVztksCsDhcc0u9e8BrqB6NRDvLmZZP3mWv3pmEbY passt',
    'mit root-Passwort PAM_UNIX2 geht es',
    'DIGITALOCEAN: fra1-s-2vcpu-4gb is the size',
    'appid=wx12ab is the app',
    'article_api_group = "a81f3c9e7b2d4f60a5c8e1937d2b4f6a"',
    "{ key: 'cssId', get: 'cssId12' }",
    '缓存的key：5d41402abc4b2a76b9719d911017c592',
    '| service | login | pass |\n|---|---|---|\n| mq | ok | 12/12 |',
    '| pass | time |\n|---|---|\n| dead-code-elim2 | 12 ms |\n| LoopUnroll3 | 4 ms |',
    '"body":"Checkpoint: d38f8f80fa82","headline":"better login"',
  ])('%s', (text) => expect(redactText(text).text).toBe(text));

  it('the user before a password', () =>
    expect(redactText(`identifiants du FTP : demo42 / ${password}`).text).toContain('demo42 / <redacted'));
});

describe('a password in code and commands', () => {
  it.each([
    (v: string) => `config.setPassword("${v}");`,
    (v: string) => `define('MAIL_PASSWORD', '${v}');`,
    (v: string) => `props.put("password", "${v}");`,
    (v: string) => `requests.get(url, auth=("demo", "${v}"))`,
    (v: string) => `new mysqli("db", "demo", "${v}", "shop")`,
    (v: string) => `DriverManager.getConnection(\n    url,\n    "demo",\n    "${v}");`,
    (v: string) => `CREATE LOGIN demo WITH PASSWORD = N'${v}', CHECK_POLICY = ON;`,
    (v: string) => `headers.insert("x-auth-token", HeaderValue::from_static("${v}"));`,
    (v: string) => `{"admin_password": {"sensitive": true, "type": "string", "value": "${v}"}}`,
    (v: string) => `"Server=db;User Id=demo;Password=${v};"`,
    (v: string) => `curl -d "user=demo&password=${v}" example.org`,
    (v: string) => `mount -o username=demo,password=${v}`,
    (v: string) => `sqlplus demo/${v}@db`,
    (v: string) => `net use Z: \\\\nas\\x /user:demo ${v}`,
    (v: string) => `chpasswd <<< "demo:${v}"`,
    (v: string) => `useradd -p ${v} demo`,
    (v: string) => `wpa_passphrase Upstairs ${v}`,
    (v: string) => `bindpw ${v}`,
    (v: string) => `username demo privilege 15 secret 0 ${v}`,
    (v: string) => `snmp-server community ${v} RO`,
    (v: string) => `  MYSQL_ROOT_PASSWORD: ${v.replace('47', '').replace('-', '_')}\n`,
  ])('%s', (code) =>
    expectGone(code(password), code(password).includes(password) ? password : 'Pebble_crane'),
  );

  it.each([
    (v: string) => `set requirepass to ${v}`,
    (v: string) => `https://example.org/hook?key=${v}`,
    (v: string) => `the session cookie is sid=${v}`,
  ])('%s', (code) => expectGone(code(token), token));

  it('is a code for a second factor or a disk', () => {
    expectGone('one of the backup codes for the mail account, ab1c2-d3e4f, is left', 'ab1c2-d3e4f');
    expectGone('License key: AB1CD-EF2GH-JK3LM-NP4QR', 'EF2GH');
    expectGone('the one-time codes need the seed: JBSWY3DPEHPK3PXPJBSWY3DP', 'JBSWY3DPEHPK3PXP');
  });
});

describe('what only looks handed over', () => {
  it.each([
    'I changed the password field to type-input and the form works',
    'the wifi driver is fine, the key is src/net/wifi.ts',
    'the secret word is still missing from the docs',
    'enable password authentication and restart sshd',
    'username and password fields are required',
    'the random seed is 42, so runs repeat',
    'recovery codes are shown once after the login',
    'admin:read and root:x:0:0 are in the file',
    'sign in as guest using the button',
    'new HTTPBasicAuth(user, password)',
    'form.setPasswordLabel("New password")',
    'login: failed, retry later',
  ])('%s', (sentence) => expect(redactText(sentence).text).toBe(sentence));
});
