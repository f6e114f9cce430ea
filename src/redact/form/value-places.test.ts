import { describe, expect, it } from 'vitest';
import type { Json } from '#core/event';
import { redact } from '#redact/engine';
import { fill } from '../../../test/support/secrets.ts';
import { redactText } from '../engine/text.ts';

const secret = fill('alnum', 24, 3);
const hash = fill('alnum', 22, 5);
const shown = expect.stringMatching(/<redacted:[a-z0-9-]+>/);

describe('where a value stands', () => {
  it.each([
    ['XML with attributes', `<wsse:Password Type="x">${secret}</wsse:Password>`],
    ['XML, cut off', `<password>${secret}`],
    ['CDATA', `<password><![CDATA[${secret}]]></password>`],
    ['a list', `{"passwords": ["${secret}"]}`],
    ['the second of a list', `{"passwords": ["a1", "${secret}"]}`],
    ['an object with a value', `{"password": {"value": "${secret}"}}`],
    ['a Dockerfile', `ENV DB_PASSWORD ${secret}`],
    ['fish', `set -gx API_TOKEN ${secret}`],
    ['csh', `setenv API_TOKEN ${secret}`],
    ['Windows', `setx API_TOKEN ${secret}`],
    ['a directive', `# redis.conf\nrequirepass ${secret}\n`],
    ['an option with one dash', `keytool -storepass ${secret} -list`],
    ['an array of arguments', `CMD ["app", "--password", "${secret}"]`],
    ['a default', `process.env.API_KEY || "${secret}"`],
    ['a default of Python', `os.environ.get("API_KEY") or "${secret}"`],
    ['a form', `Content-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--b`],
    ['a Markdown table', `| user | password |\n|---|---|\n| bob | ${secret} |`],
    ['a psql table', ` user | password \n------+----------\n bob  | ${secret}\n(1 row)\n`],
    ['a mysql table', `+---+---+\n| u | password |\n+---+---+\n| b | ${secret} |\n+---+---+\n`],
    ['CSV', `name,url,password\nmail,example.org,${secret}\n`],
    ['SQL INSERT', `INSERT INTO users (name, password) VALUES ('a', 'x1y2'), ('bob', '${secret}');`],
    ['SQL IDENTIFIED BY', `CREATE USER 'a'@'%' IDENTIFIED BY '${secret}';`],
    ['SQL PASSWORD', `ALTER ROLE app WITH LOGIN PASSWORD '${secret}';`],
    ['a JSON Web Key', `{"kty":"EC","crv":"P-256","x":"${fill('url', 43)}","d":"${secret}"}`],
    ['a JSON Web Key in a string', JSON.stringify(`{"d":"${secret}","kty":"OKP"}`)],
    ['.pgpass', `db.example.org:5432:app:bob:${secret}\n`],
    ['a cookie jar', `.example.org\tTRUE\t/\tTRUE\t1900000000\tsid\t${secret}\n`],
    ['a cookie as recorded', `{"name":"session","value":"${secret}"}`],
    ['a kubeconfig', `    client-key-data: ${secret}\n`],
    ['docker login over lines', `docker login \\\n  -u bob \\\n  -p ${secret} registry.example.org`],
    ['podman', `podman login -u bob -p '${secret}' registry.example.org`],
    ['az', `az login --service-principal -u a -p ${secret} --tenant t`],
    ['helm', `helm registry login -u bob -p ${secret} registry.example.org`],
    ['AUTH', `127.0.0.1:6379> AUTH app ${secret}`],
    ['an ACL of Redis', `user app on +@read >${secret} ~*`],
    ['a sentinel', `sentinel auth-pass primary ${secret}`],
    ['a mask of a workflow', `echo "::add-mask::${secret}"`],
    ['a socket', `postgresql+asyncpg://bob:${secret}@/db?host=/run/postgresql`],
    ['nginx', `proxy_set_header Authorization "${secret}";`],
    ['redis-cli', `redis-cli -h x -a ${secret} ping`],
    ['ldapsearch', `ldapsearch -x -D cn=admin -w ${secret}`],
    ['openssl', `openssl rsa -in k.pem -passin pass:${secret}`],
    ['stdin of a login', `echo ${secret} | docker login -u bob --password-stdin`],
    ['stdin of sudo', `echo '${secret}' | sudo -S apt update`],
    ['kubectl', `kubectl create secret generic x --from-literal=any=${secret}`],
    ['PowerShell', `ConvertTo-SecureString "${secret}" -AsPlainText -Force`],
    ['a Parameter Store', `aws ssm put-parameter --name /db/x --type SecureString --value ${secret}`],
    ['an htpasswd line', `bob:$apr1$${fill('alnum', 8)}$${hash}`],
    ['LDAP', `userPassword: {SSHA}${fill('base64', 32)}`],
    ['.pgpass, added', `+db.example.org:5432:app:bob:${secret}\n`],
    ['a Dockerfile, removed', `-ENV DB_PASSWORD ${secret}`],
    ['a Dockerfile, found', `a/Dockerfile:3:ENV DB_PASSWORD ${secret}`],
    ['a block of YAML', `password: |-\n  ${secret}\n`],
    ['the line below', `"password":\n  "${secret}"`],
    ['a heredoc', `password = <<EOT\n${secret}\nEOT`],
    ['three quotes', `password = """${secret}"""`],
    ['a property list', `<key>password</key>\n<string>${secret}</string>`],
    ['resources of Android', `<string name="password">${secret}</string>`],
    ['a row of a table', `| password | ${secret} |`],
    ['a list of Markdown', `- **password**: \`${secret}\``],
    ['a variable of Terraform', `variable "db_password" {\n  type = string\n  default = "${secret}"\n}`],
    ['a network key', `  psk="${secret}"\n`],
    ['a setter', `setPassword("${secret}")`],
    ['an element over lines in a string', JSON.stringify(`<password>\n  ${secret}\n</password>`)],
    ['JSON three strings deep', JSON.stringify(JSON.stringify(JSON.stringify({ password: secret })))],
    ['a name in a listing', `  - name: DB_PASSWORD$\n    value: ${secret}$\n  - a$\n`],
    ['an age key, removed', `-AGE-SECRET-KEY-1${'Q'.repeat(58)}`],
    ['an age key, around what grep found', `a.txt-13-AGE-SECRET-KEY-1${'Q'.repeat(58)}`],
    ['an age key', `AGE-SECRET-KEY-1${'Q'.repeat(58)}`],
  ])('%s', (_, text) => {
    const { text: result } = redactText(text);
    expect(result).toEqual(shown);
    for (const part of [secret, hash, 'QQQQQQ']) expect(result).not.toContain(part);
  });

  it.each([
    'import (\n  password,\n  "a/b",\n)',
    'SELECT id, password\nFROM users, x1\n',
    '| pass | fail |\n|---|---|\n| 12 | 3 |',
    'a `password` or `salt` of any length',
    'the password "is" wrong',
    'redis-cli -p 6379 ping',
    'echo done | tee out.txt',
    '127.0.0.1:5432:5432',
    '{"kty":"EC","crv":"P-256","kid":"d","use":"sig"}',
    '<password required="true"></password>',
    'ENV NODE_ENV production',
    'test_the_name_of_a_long_test_case()',
  ])('leaves alone: %j', (text) => {
    expect(redactText(text)).toEqual({ text, redactions: 0, kinds: {} });
  });
});

describe('a value of any length', () => {
  const long = fill('alnum', 40_000);
  it.each([
    ['bare', `A=1\nPRIVATE_KEY=${long}\nB=2`],
    ['in single quotes', `export CLIENT_SECRET='${long}'\nB=2`],
    ['in YAML', `keystore_password: "${long}"\n`],
    ['in JSON', JSON.stringify({ privateKey: long, a: 1 })],
    ['in JSON in JSON', JSON.stringify({ body: JSON.stringify({ clientSecret: long }) })],
    ['in XML', `<password>${long}</password>`],
    ['in an address', `https://example.org/cb?access_token=${long}&state=1`],
    ['after an option', `app --password ${long} --host x`],
    ['in a header', `Authorization: Bearer ${long}`],
    ['with a prefix', `glpat-${long}`],
    ['a JSON Web Token', `eyJ${long}.eyJ${long}.${long}`],
    ['cut off', `PRIVATE_KEY="${long}`],
  ])('%s', (_, text) => {
    expect(redactText(text).text.length).toBeLessThan(200);
  });

  it.each<[Json]>([
    [{ clientSecret: long }],
    [{ auth: { privateKey: { value: long } } }],
    [{ kty: 'RSA', p: long, oth: [{ d: long }] }],
    [{ cookies: [{ name: 'session', value: secret }] }],
    [{ signingKey: `${long.slice(0, 64)}\n${long.slice(64, 99)}\n` }],
  ])('under a key of JSON', (value) => {
    const result = JSON.stringify(redact(value).value);
    expect(result.length).toBeLessThan(300);
    expect(result).toEqual(shown);
  });
});
