import { fill, patterned, type Rule } from '../rule.ts';
import { looksRandom } from '../value.ts';

/** Clouds, hosts and infrastructure: formats as their vendors publish them. */
export const cloudRules: readonly Rule[] = [
  // docs.aws.amazon.com/IAM, unique identifiers.
  patterned(
    'aws-access-key',
    ['akia', 'asia', 'abia', 'acca', 'a3t'],
    /(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9+])/,
    () => ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'A3TX'].map((prefix) => prefix + fill('upper', 16)),
    { at: 'anywhere' },
  ),
  // A secret access key has no prefix: 40 characters of base64 after its name.
  patterned(
    'aws-secret-key',
    ['aws_secret', 'secret_access_key', 'secretaccesskey', 'secret access key', 'aws secret'],
    /[\w .-]{0,40}\\{0,6}["']?[ \t]{0,20}(?::|=>|=|,|is)?[ \t]{0,20}\\{0,6}["']?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/,
    () => [`aws_secret_access_key = ${fill('base64', 40)}`],
    { entropyMin: 3 },
  ),
  patterned(
    'aws-bedrock-key',
    ['bedrock-api-key-'],
    /bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t/,
    () => ['bedrock-api-key-' + 'YmVkcm9jay5hbWF6b25hd3MuY29t' + fill('base64', 80)],
    { tail: ['bases', /={0,2}/] },
  ),
  patterned(
    'aws-signature',
    ['x-amz-signature=', 'x-amz-security-token=', 'signature='],
    /(?:X-Amz-Signature|X-Amz-Security-Token|Signature)=([A-Za-z0-9%+/=_~.-]{40})/i,
    () => [`X-Amz-Signature=${fill('hex', 64)}`],
    { tail: ['token'], entropyMin: 3 },
  ),
  patterned('gcp-refresh-token', ['1//0'], /(?<![\w/.:-])1\/\/0[\w-]{30}/, () => ['1//0' + fill('url', 50)], {
    tail: ['url'],
    entropyMin: 3.2,
  }),
  // learn.microsoft.com/entra: three characters, a digit, Q~ and 31 to 34 more.
  patterned(
    'azure-client-secret',
    ['q~'],
    /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/,
    () => [fill('url', 3) + '8Q~' + fill('url', 34)],
    { before: 4, entropyMin: 3 },
  ),
  patterned(
    'azure-storage-key',
    ['accountkey=', 'sharedaccesskey='],
    /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40})/i,
    () => [`AccountKey=${fill('base64', 86)}==`],
    { tail: ['base64', /={0,2}/], entropyMin: 3 },
  ),
  // learn.microsoft.com/azure/storage: the `sig` of a shared access signature.
  patterned(
    'azure-sas',
    ['sig='],
    /(?<=[?&;])sig=([A-Za-z0-9%+/=_-]{30})/i,
    () => [`?sv=2022-11-02&sig=${fill('base64', 43)}%3D`],
    { tail: ['token'], entropyMin: 3.2 },
  ),
  patterned(
    'azure-key',
    'azfu azsea azcr +acr +amc +ast +aba +asb +aeh +arm acdb aiot jqqj99 azcontainer'.split(' '),
    /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{30,80}(?:AzFu|AzSe[ABC]|\+ACR|\+AMC|\+ASt|\+ABa|\+ASb|\+AEh|\+ARm|ACDb|AIoT|JQQJ99|AzCr)[A-Za-z0-9+/_-]{4,40}={0,2}(?![A-Za-z0-9+/])/,
    () => [`${fill('alnum', 44)}AzFu${fill('alnum', 6)}==`],
    { before: 80, entropyMin: 3.6 },
  ),
  // learn.microsoft.com/azure/devops: 84 characters, the signature before the last four.
  patterned(
    'azure-devops-token',
    ['azdo'],
    /(?<![A-Za-z0-9])[A-Za-z0-9]{74,78}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/,
    () => [`${fill('alnum', 76)}AZDO${fill('alnum', 4)}`],
    { before: 78, entropyMin: 3.6 },
  ),
  patterned(
    'yandex-token',
    ['t1.'],
    /(?<![\w.-])t1\.[\w-]/,
    () => [`t1.${fill('alnum', 8)}.${fill('alnum', 86)}`],
    { tail: ['url', /={0,2}\.[\w-]{80}/, 'url', /={0,2}/], entropyMin: 3 },
  ),
  patterned(
    'terraform-token',
    ['.atlasv1.'],
    /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,90}/,
    () => [`${fill('alnum', 14)}.atlasv1.${fill('url', 67)}`],
    { before: 14, entropyMin: 3.3 },
  ),
  patterned(
    'vault-token',
    ['s.'],
    /(?<![\w.-])s\.[A-Za-z0-9]{24}(?![\w.-])/,
    () => ['s.' + fill('alnum', 24)],
    {
      entropyMin: 3.5,
      check: (secret) => looksRandom(secret.slice(2)) && /\d/.test(secret),
    },
  ),
];
