import { fill, patterned, type Rule } from '../rule.ts';
import { looksRandom } from '../value.ts';

// Further lines of wrapped base64; the last may be short.
const wrapped =
  /(?:(?:(?:\r?\n|\\r\\n|\\n)[ \t]{0,20}[A-Za-z0-9+/]{60,76}){1,80}(?:(?:\r?\n|\\r\\n|\\n)[ \t]{0,20}[A-Za-z0-9+/]{1,76}={0,2})?)?/;

/** Private keys without armour, and password hashes. */
export const keyRules: readonly Rule[] = [
  // A PEM file in base64, as in `client-key-data` of a kubeconfig: `-----BEGIN` becomes this.
  patterned(
    'private-key',
    ['ls0tls1crudjti'],
    /LS0tLS1CRUdJTi[A-Za-z0-9+/]{50}/,
    () => [Buffer.from(`-----BEGIN PRIVATE ${'KEY'}-----\n${fill('base64', 64)}\n`).toString('base64')],
    {
      tail: ['base64', /={0,2}/, wrapped],
      check: (secret) =>
        Buffer.from(secret.slice(0, 80), 'base64').toString('latin1').includes('PRIVATE KEY'),
    },
  ),
  // The first bytes of a DER private key in base64 (RFC 8017, 5958, 5915, 8410).
  patterned(
    'private-key',
    ['ibaakc', 'ibadanbgkqhkig9w0baqefaasc'],
    /(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{1,5}IB(?:AAKC|ADANBgkqhkiG9w0BAQEFAASC)[A-Za-z0-9+/]{24}/,
    () => [
      `MIIEpAIBAAKCAQEA${fill('base64', 200)}`,
      `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${fill('base64', 200)}`,
    ],
    { before: 8, tail: ['base64', /={0,2}/, wrapped], entropyMin: 3 },
  ),
  patterned(
    'private-key',
    ['ageambmgbyqgsm49ageg', 'ageameaegbyqgsm49', 'mhccaqeei', 'mc4caqawbqydk2vwbcie', 'migkageb'],
    /(?<![A-Za-z0-9+/])(?:MI[A-Za-z0-9]{1,4}AgEAM[A-Za-z0-9]{2,4}ByqGSM49|MHcCAQEEI|MC4CAQAwBQYDK2VwBCIE|MIGkAgEB)[A-Za-z0-9+/]{40}/,
    () => [`MHcCAQEEI${fill('base64', 120)}`, `MC4CAQAwBQYDK2VwBCIE${fill('base64', 44)}`],
    { before: 8, tail: ['base64', /={0,2}/, wrapped], entropyMin: 3 },
  ),
  // openssh-key-v1: the body of an OpenSSH key.
  patterned(
    'private-key',
    ['b3blbnnzac1rzxktdjeaaaaa'],
    /b3BlbnNzaC1rZXktdjEAAAAA[A-Za-z0-9+/]{20}/,
    () => [`b3BlbnNzaC1rZXktdjEAAAAA${fill('base64', 120)}`],
    { tail: ['base64', /={0,2}/, wrapped], entropyMin: 2 },
  ),
  // crypt(3) and similar: such a hash can be cracked offline.
  patterned(
    'password-hash',
    '$1$ $2a$ $2b$ $2x$ $2y$ $5$ $6$ $7$ $8$ $9$ $y$ $gy$ $apr1$ $md5 $sha1$'.split(' '),
    /\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|[1567]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{4,40}\$[./A-Za-z0-9]{22,86}|[89]\$[./A-Za-z0-9]{14}\$[./A-Za-z0-9]{43}|g?y\$[./A-Za-z0-9]{1,40}\$[./A-Za-z0-9]{1,90}\$[./A-Za-z0-9]{43}|apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|(?:md5|sha1)[,$][^\s"'$]{1,40}\${1,2}[^\s"'$]{1,40}\$?[./A-Za-z0-9]{22,40})/,
    () => [`$2b$12$${fill('alnum', 53)}`, `$apr1$${fill('alnum', 8)}$${fill('alnum', 22)}`],
  ),
  patterned(
    'password-hash',
    ['argon2', 'scrypt', 'pbkdf2', 'bcrypt'],
    /(?:\$?argon2(?:id|i|d)?\$(?:argon2(?:id|i|d)\$)?v=\d{1,4}\$[\w=,]{1,90}\$[A-Za-z0-9+/]{4,200}\$[A-Za-z0-9+/]{8,200}|\$?(?:django_)?(?:scrypt|pbkdf2|bcrypt)[\w:.-]{0,40}(?:\$[\w=,./+-]{1,90}){1,5}={0,2}|grub\.pbkdf2\.sha512\.\d{1,9}\.[0-9A-F]{16,200}\.[0-9A-F]{128})/,
    () => [
      `$argon2id$v=19$m=65536,t=3,p=4$${fill('base64', 22)}$${fill('base64', 43)}`,
      `pbkdf2_sha256$600000$${fill('alnum', 22)}$${fill('base64', 43)}=`,
      `scrypt:32768:8:1$${fill('alnum', 16)}$${fill('hex', 128)}`,
    ],
    {
      before: 8,
      check: (secret) =>
        secret.split('$').some((part) => part.length >= 20 && looksRandom(part)) || secret.startsWith('grub'),
    },
  ),
  // RFC 2307 and similar, as in a directory.
  patterned(
    'password-hash',
    ['{ssha', '{sha', '{smd5}', '{md5}', '{crypt}', '{pbkdf2', '{argon2}', '{pkcs5s2}', '{bcrypt}'],
    /\{(?:S?SHA(?:-?\d{3})?(?:\.HEX)?|S?MD5|CRYPT|PBKDF2[\w-]{0,20}|ARGON2|PKCS5S2|BCRYPT)\}([A-Za-z0-9+/=$.,_-]{20})/i,
    () => [`{SSHA}${fill('base64', 32)}`, `{SSHA512}${fill('base64', 96)}`],
    { tail: ['hash'] },
  ),
  patterned(
    'password-hash',
    ['scram-sha-', '$p$', '$h$', '$a$00'],
    /(?:SCRAM-SHA-(?:1|256|512)\$\d{1,9}:[A-Za-z0-9+/=]{8,90}\$[A-Za-z0-9+/=]{20,100}:[A-Za-z0-9+/=]{20,100}|\$[PH]\$[./A-Za-z0-9]{31}(?![./A-Za-z0-9])|\$A\$00\d\$[^\s"']{40,100})/,
    () => [`SCRAM-SHA-256$4096:${fill('base64', 22)}==$${fill('base64', 43)}=:${fill('base64', 43)}=`],
  ),
  // An NTLM hash after the LM hash of an empty password.
  patterned(
    'password-hash',
    ['aad3b435b51404eeaad3b435b51404ee:'],
    /aad3b435b51404eeaad3b435b51404ee:([0-9a-f]{32})(?!\w)/i,
    () => [`aad3b435b51404eeaad3b435b51404ee:${fill('hex', 32)}`],
  ),
  // An access key and its secret in one row of a table.
  patterned(
    'aws-secret-key',
    ['akia', 'asia'],
    /(?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)[^\n]{0,80}?(?<![\w/+=-])([A-Za-z0-9/+]{40})(?![\w/+=-])/,
    () => [`AKIA${fill('upper', 16)},${fill('alnum', 40)}`],
    { entropyMin: 4.1, check: (secret) => looksRandom(secret) },
  ),
];
