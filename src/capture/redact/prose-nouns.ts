import { sensitivityOf } from './name.ts';
import type { SaidNoun } from './prose-value.ts';
import { isWord } from './rule.ts';

export interface Noun {
  readonly kind: SaidNoun | 'login';
  readonly end: number;
  /** `name: value` is judged as an assignment where the name is an English password. */
  readonly isForeign: boolean;
}

/** How the nouns below begin, in lower case. */
export const nounKeywords: readonly string[] = [
  'passw|passphrase|passcode|pwd|pw|pin |pat|token|secret|key|cred|login|log in|sign in|ssh ',
  'zugangs|kennwort|identifiants|contrase|mot de passe|mdp|code secret|senha|parol|wachtwoord|toegangscode',
  'hasł|haslo|lösen|heslo|şifre|sifre|adgangskod|kodeord|passord|salasana|jelszó|mật kh|kata sandi',
  'парол|密|口令|パス|暗証|비밀|암호|패스|סיסמ|كلمة|κωδικ|รหัส',
  'schlüssel|clé|clave|llave|chave|chiave|sleutel|klucz|anahtar|nyckel|nøgle|nøkkel|avain|klíč|kulcs|cheia|ключ',
  'jeton|segredo|belirte|токен|секрет|令牌|私钥|私鑰|秘钥|秘鑰|秘密|トークン|キー|シーク|토큰|키|khóa|khoá|מפתח|אסימון|טוקן|مفتاح|رمز|توكن',
].flatMap((line) => line.split('|'));

const tail = '(?![a-z0-9_à-žа-яёіїєґ-])';
const nouns: readonly (readonly [kind: Noun['kind'], isForeign: boolean, RegExp])[] = [
  ['password', false, /(?:passwords?|passwd|pass(?:phrase|code)|pwd)(?![\w-])/iy],
  ['pin', false, /pin(?: ?code)?(?![\w-])/iy],
  [
    'password',
    true,
    new RegExp(
      `(?:pw|passwor[td](?:et|s)?|passwörter|passord(?:et)?|kennwort|zugangscode|contrase(?:ñas?|nya|na)|mot de passe|mdp|code secret|senha|parol(?:a(?: d['’](?:ordine|accesso)|s[ıi]|m)?|ę|e)|wachtwoord|toegangscode|has[łl][oa]|парол[а-яі]{1,3}|lösenord(?:et)?|heslo|[şs]ifre[a-zışüö]{0,4}|adgangskoden?|kodeord(?:et)?|salasana|jelszó|mật khẩu|kata sandi)${tail}|密[码碼]|口令|パス(?:ワード|フレーズ)|暗証番号|비밀번호|암호|패스워드|סיסמ[הא]|كلمة (?:ال)?(?:مرور|سر)|κωδικός|รหัสผ่าน`,
      'iy',
    ),
  ],
  [
    'token',
    true,
    new RegExp(
      `(?:token(?:s|[iıuü]m?|em|en|et|ul)?|pats?|secrets?(?:[ -](?:access )?key)?|zugangstoken|jeton(?:u|um)?|segredo|belirte[cç][a-zışüö]{0,4}|токен[а-яі]{0,3}|секрет[а-яі]{0,3})${tail}|令牌|[私秘密][钥鑰匙]|秘密[鍵键]|トークン|シークレット|토큰|비밀 ?키|אסימון|טוקן|توكن`,
      'iy',
    ),
  ],
  [
    'login',
    false,
    /(?:log ?in|sign in|credentials?|creds|zugangsdaten|identifiants|credenciales|ssh)(?![\w-])/iy,
  ],
];

/** A word for a key, which its neighbours make a secret (`API key`, `clé privée`) or not (`primary key`). */
const keys = new RegExp(
  `(?:keys?|schlüssel|clés?|claves?|llave|chaves?|chiave|sleutel|klucz[aue]?|anahtar[a-zışüö]{0,4}|nyckeln?|nøglen?|nøkkel(?:en)?|avain|klíč|kulcs|cheia|ключ[а-яі]{0,2})${tail}|キー|키|kho?[óá]a?(?![a-z])|מפתח|مفتاح|رمز`,
  'iy',
);
const secretStems =
  'api|апи|secr[eè]t|segret|priv[aéá]|geheim|acc?[eè]s|zugriffs?|zugangs?|toegangs|li[cz]en|cifrad|chiffre|encrypt|verschlüss|deploy|gizli|özel|erişim|lisans|секретн|приватн|закр[иы]т|доступ|шифрован|лиценз|ліценз|tajn|prywatn|dostęp|soukrom|hem[lm]ig|hemmelig|salai|yksityi|titkos|bí mật|riêng|truy cập|(?:ال)?سري|(?:ال)?خاص|(?:ال)?وصول|סודי|פרטי|秘密|アクセス|暗号|비밀|개인|액세스|시크릿|접근';
const publicStems =
  'prim[aäá]|birincil|yabancı|genel|publi[ckq]|pubbli|p[uú]blic|öffentl|fremd|foreign|étrang|extranj|for[aá]n|estrang|stran|cach[eé]|первичн|внешн|открыт|публичн|зовнішн|відкрит|główn|obc[ya]|chính|ngoại|công khai|主|外部|公開|공개|기본|외래|ראשי|ציבורי|(?:ال)?عام|(?:ال)?أساسي';
const article = "(?: (?:de la|de los|de|del|della|dell|di|do|da|d|do|для|к|för|for|voor)?)?[ ’'-]";
const isSecretBefore = new RegExp(`(?:${secretStems})[^\\s.,;:]{0,6}[ -]?$`, 'i');
const isSecretAfter = new RegExp(`${article}(?:l['’]|ה-?|ال-?)?(?:${secretStems})[^\\s.,;:=：]{0,8}`, 'iy');
const isPublicBefore = new RegExp(`(?:${publicStems})[^\\s.,;:]{0,8}[ -]?$`, 'i');
const isPublicAfter = new RegExp(`${article}(?:${publicStems})`, 'iy');
/** Words of other languages that a prefix may join: `Datenbankpasswort`, `Zugriffstoken`. */
const compound =
  /(?:passwort|kennwort|schlüssel|wachtwoord|sleutel|lösenord|nyckeln?|adgangskode|token)(?![a-z0-9_à-ž-])/iy;

/** The noun whose keyword begins at `at`. */
export function nounAt(text: string, at: number): Noun | undefined {
  if (at > 0 && text.charCodeAt(at) < 128 && !isWordStart(text, at)) return undefined;
  for (const [kind, isForeign, pattern] of nouns) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return { kind, isForeign, end: pattern.lastIndex };
  }
  keys.lastIndex = at;
  return keys.test(text) ? keyNoun(text, at, keys.lastIndex) : undefined;
}

/** A flag (`--token`) is not a word, and a part of a word only in a compound. */
function isWordStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 45) return /[A-Za-z]/.test(text.charAt(at - 2));
  if (!isWord(before)) return true;
  if (text.charCodeAt(at) < 97) return false;
  compound.lastIndex = at;
  return compound.test(text) && /[A-Za-zäöü]{3}[a-zäöü]$/.test(text.slice(Math.max(0, at - 4), at));
}

function keyNoun(text: string, at: number, end: number): Noun | undefined {
  const before = text.slice(Math.max(0, at - 24), at);
  if (isPublicBefore.test(before)) return undefined;
  isPublicAfter.lastIndex = end;
  if (isPublicAfter.test(text)) return undefined;
  if (isSecretBefore.test(before)) return { kind: 'token', isForeign: true, end };
  if (/^key/i.test(text.slice(at, end))) return englishKey(before, end);
  isSecretAfter.lastIndex = end;
  if (isSecretAfter.test(text)) return { kind: 'token', isForeign: true, end: isSecretAfter.lastIndex };
  return { kind: 'key', isForeign: true, end };
}

/** `deploy key` is judged as the name `deploy_key`; of `the key` only the value can tell. */
function englishKey(before: string, end: number): Noun | undefined {
  const word = /([A-Za-z0-9]{2,20})[ -]$/.exec(before)?.[1]?.toLowerCase() ?? '';
  if (/^(?:the|my|our|your|this|that|new|old|is|a|here)$/.test(word))
    return { kind: 'key', isForeign: true, end };
  if (word === '') return undefined;
  // A name `storageKey` holds the name of an entry.
  if (word !== 'storage' && sensitivityOf(`${word} key`) === 'none') return undefined;
  return { kind: 'token', isForeign: true, end };
}
