import { endAt, isWord } from '#redact/form';
import { sensitivityOf } from '#redact/names';
import type { SaidNoun } from './prose-value.ts';

export interface Noun {
  readonly kind: SaidNoun | 'login';
  readonly end: number;
  /** `name: value` is judged as an assignment where the name is an English password. */
  readonly isForeign: boolean;
}

/** How the nouns below begin, in lower case; short for other scripts, since each letter makes the automaton wider. */
export const nounKeywords: readonly string[] = [
  'melde dich|einlogg|connecte|entra |inicia ses|accedi |зайди|войди|залог|zaloguj|giriş|acesso|доступ|접속|ログイン|로그인|登录|登入',
  'passw|pass de|pass du|pass for|pass of|pass from|pass to|пасс|pasw|кодов|passphrase|passcode|pwd|pw|pin |pin?|pin:|pinc|pin-|pin이|pin은|pinで|pinは|pin设|pin設|pin是|pin为|pinを|pin码|pin碼|phrase |seed|unlocks with|unlock with|secret word|access code|logging in|zugang|password-nya|door code|gate code|alarm code|entry code|wifi code|recovery p|frase|fraz|фраз|pat |pat:|bearer|the salt|authorization header|unseal key|pass is|pass:|pass |token|secret|key|cred|login|log in|sign in|basic auth|mnemonic|ssh ',
  'zugangs|kennwort|identifiants|contrase|mot de passe|mdp|code secret|senha|parol|wachtwoord|toegangscode',
  'change|mã bí|mat_kh|matkh|hasł|haslo|lösen|heslo|lozin|slapta|geslo|kata laluan|şifre|sifre|adgangskod|kodeord|passord|salasana|jelsz|mật|kata sandi',
  'schlüssel|clé|clave|llave|chave|chiave|sleutel|klucz|anahtar|nyckel|nøgle|nøkkel|avain|klíč|kulcs|cheia|khóa|khoá',
  'jeton|segredo|segreto|geheimnis|sekret|belirte|пар|пин|ток|сек|клю|密|口令|令牌|私|秘|パス|暗証|トー|キー|シー|비밀|비번|시크|암호|패스|토큰|키|पास|পাস|پاس|گذر|лоз|סי|מפ|אס|טו|كل|مف|رم|تو|κω|รห',
].flatMap((line) => line.split('|'));

const tail = '(?![a-z0-9_à-žа-яёіїєґ-])';
const tokenWords =
  'change-?me|mã bí mật|token(?:s|[iıuü]m?|em|en|et|ul)?|pats?|bearer|the salt|authorization header|unseal key(?: \\d)?|(?:totp |otp |2fa |mfa )?seed(?= (?:is|[:=])|:)|secrets?(?! word)(?:[ -](?:access )?key)?|zugangstoken|jeton(?:u|um)?|segredo|secreto|segreto|geheimnis|sekret(?:u|em)?|belirte[cç][a-zışüö]{0,4}|токен[а-яі]{0,3}|секрет[а-яі]{0,3}';
const tokenSigns =
  '令牌|[私秘密][钥鑰匙]|秘密[鍵键]|トークン|シークレット|시크릿|토큰|비밀 ?키|אסימון|טוקן|توكن';
const passwordWords =
  "mnemonic|pw|unlocks? with|secret word|access code|password-nya|lozink[aeu]|slaptažod[a-zžė]{2,5}|geslo|kata laluan|лозинк[аеу]|pas{1,2}w(?:o?ro?|ro|or)[td]|phrase (?:secrète|de passe|de récupération)|(?:seed|recovery) phrase|pass (?:del|de|du|for|of|from|to)(?= )|пасс|frase[- ](?:senha|d[ei] recuper[a-zçã]+|chave|secreta|segreta|de (?:contraseña|paso|acceso)|d['’]accesso)|fraza|(?:парольн|кодов|секретн)[а-я]{2,3} фраз[а-я]{1,2}|wachtwoordzin|mat_?khau|passwor[td](?:et|s)?|passwörter|passord(?:et)?|kennwort|zugangscode|contrase(?:ñas?|nya|na)|mot de passe|mdp|code secret|senha|parol(?:a(?: d['’](?:ordine|accesso)|[a-zışüö]{1,5})?|ę|e)|wachtwoord|toegangscode|has[łl][oa]|парол[а-яі]{1,3}|lösenord(?:et)?|heslo|[şs]ifre[a-zışüö]{0,4}|adgangskoden?|kodeord(?:et)?|salasana|jelszó|mật khẩu|kata sandi";
const passwordSigns =
  '密[码碼]|口令|パス(?:ワード|フレーズ|(?= ?[→:：＝=は]))|비밀 ?번호|비번|암호(?: ?문구)?|패스워드|סיסמ[הא]|كلمة (?:ال)?(?:مرور|سر)|पासवर्ड|পাসওয়ার্ড|پاس ?ورڈ|گذرواژه|رمز ?عبور|κωδικός|รหัสผ่าน';
/** The most frequent first. */
const nouns: readonly (readonly [kind: Noun['kind'], isForeign: boolean, RegExp])[] = [
  ['token', true, new RegExp(`(?:${tokenWords})${tail}|${tokenSigns}`, 'y')],
  ['password', false, /(?:passwords?|passwd|pass(?:phrase|code)|pwd|pass(?= (?:is|=|:)))(?![\w-])/y],
  [
    'pin',
    false,
    /(?:(?:door|gate|alarm|entry|wifi) code|pin(?:[ -]?code| ?[码碼]|-?kod[a-z]*)?|пин(?:-?код[а-я]{0,2})?|暗証番号)(?![\w-])/y,
  ],
  ['password', true, new RegExp(`(?:${passwordWords})${tail}|${passwordSigns}`, 'y')],
  [
    'login',
    false,
    /(?:log ?in(?:to)?|logging in|zugang|sign in(?:to)?|basic auth|credentials?|creds|zugangsdaten|identifiants|credenciales|credenziali|credenciais|acessos?|доступ[аы]?|접속(?: ?정보)?|giriş[a-zışüö]{0,4}|ssh|melde dich|einloggen|connecte(?:z|-toi)?|entra|inicia sesión|accedi|зайди|войди|залогинься|zaloguj(?: się)?|ログイン|로그인|登录|登入)(?![a-z0-9_-])/y,
  ],
];

/** A word for a key, which its neighbours make a secret (`API key`, `clé privée`) or not (`primary key`). */
const keys = new RegExp(
  `(?:keys?|schlüssel|clés?|claves?|llave|chaves?|chiave|sleutel|klucz[aue]?|anahtar[a-zışüö]{0,4}|nyckeln?|nøglen?|nøkkel(?:en)?|avain|klíč|kulcs|cheia|ключ[а-яі]{0,2})${tail}|キー|키|kho?[óá]a?(?![a-z])|מפתח|مفتاح|رمز`,
  'y',
);
const secretStems =
  'api|demo|апи|secr[eè]t|segret|priv[aéá]|geheim|acc?[eè]s|zugriffs?|zugangs?|toegangs|li[cz]en|cifrad|chiffre|encrypt|verschlüss|deploy|gizli|özel|erişim|lisans|секретн|приватн|закр[иы]т|доступ|шифрован|лиценз|ліценз|tajn|prywatn|dostęp|soukrom|hem[lm]ig|hemmelig|salai|yksityi|titkos|bí mật|riêng|truy cập|(?:ال)?سري|(?:ال)?خاص|(?:ال)?وصول|סודי|פרטי|秘密|アクセス|暗号|비밀|개인|액세스|시크릿|접근';
const publicStems =
  '缓存|緩存|キャッシュ|캐시|prim[aäá]|birincil|yabancı|genel|publi[ckq]|pubbli|p[uú]blic|öffentl|fremd|foreign|étrang|extranj|for[aá]n|estrang|stran|cach[eé]|первичн|внешн|открыт|публичн|зовнішн|відкрит|główn|obc[ya]|chính|ngoại|công khai|主|外部|公開|공개|기본|외래|ראשי|ציבורי|(?:ال)?عام|(?:ال)?أساسي';
const article = "(?: (?:de la|de los|de|del|della|dell|di|do|da|d|do|для|к|för|for|voor)?)?[ ’'-]";
const isSecretBefore = new RegExp(`(?:${secretStems})[^\\s.,;:]{0,6}[ -]?$`);
const isSecretAfter = new RegExp(`${article}(?:l['’]|ה-?|ال-?)?(?:${secretStems})[^\\s.,;:=：]{0,8}`, 'y');
const isPublicBefore = new RegExp(`(?:${publicStems})[^\\s.,;:]{0,8}[ -]?$`);
const isPublicAfter = new RegExp(`${article}(?:${publicStems})`, 'y');
/** Words of other languages that a prefix may join: `Datenbankpasswort`, `Zugriffstoken`. */
const compound =
  /(?:passwort|kennwort|schlüssel|wachtwoord|sleutel|lösenord|nyckeln?|adgangskode|token)(?![a-z0-9_à-ž-])/y;

/** The noun whose keyword begins at `at`. Patterns without case are several times faster on text in lower case. */
export function nounAt(text: string, at: number): Noun | undefined {
  const ahead = lowerCase(text, at, at + 48);
  if (at > 0 && text.charCodeAt(at) < 128 && !isWordStart(text, at, ahead)) return undefined;
  if (/^pass[ :=]/.test(ahead) && afterUser.test(lowerCase(text, Math.max(0, at - 64), at)))
    return { kind: 'password', isForeign: true, end: at + 4 };
  for (const [kind, isForeign, pattern] of nouns) {
    const length = endAt(pattern, ahead, 0);
    if (length !== undefined) return { kind, isForeign, end: at + length };
  }
  const keyEnd = endAt(keys, ahead, 0);
  if (keyEnd === undefined) return undefined;
  // The key of a wireless network is a password.
  if (
    /wi-?fi|wlan|ssid|hotspot/.test(lowerCase(text, Math.max(0, at - 72), at)) ||
    endAt(ofWireless, ahead, keyEnd) !== undefined
  )
    return { kind: 'password', isForeign: true, end: at + keyEnd };
  const before = lowerCase(text, Math.max(0, at - 24), at);
  return ahead.startsWith('key') ? englishKey(before, at + keyEnd) : foreignKey(before, ahead, at, keyEnd);
}

const ofWireless = / (?:[a-z]{1,4} ){1,2}(?:wi-?fi|wlan|hotspot)(?![\w-])/y;
const afterUser =
  /\b(?:(?:user(?:name)?|login|e-?mail)[:=]? \S{2,40},?\s{1,4}|(?:key|trust)store |(?:ftp|smtp|imap|root|admin|db|sudo|ssh|wifi|zip|vpn) )$/;

/** A part of a text in lower case, of the same length. */
export function lowerCase(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  const lower = part.toLowerCase();
  return lower.length === part.length ? lower : part;
}

/** A flag (`--token`) is not a word, and a part of a word only in a compound. */
function isWordStart(text: string, at: number, ahead: string): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 45) return /[A-Za-z]/.test(text.charAt(at - 2));
  if (!isWord(before)) return true;
  if (text.charCodeAt(at) < 97) return false;
  return (
    endAt(compound, ahead, 0) !== undefined &&
    /[A-Za-zäöü]{3}[a-zäöü]$/.test(text.slice(Math.max(0, at - 4), at))
  );
}

function foreignKey(before: string, ahead: string, at: number, keyEnd: number): Noun | undefined {
  if (isPublicBefore.test(before) || endAt(isPublicAfter, ahead, keyEnd) !== undefined) return undefined;
  const end = isSecretBefore.test(before) ? keyEnd : endAt(isSecretAfter, ahead, keyEnd);
  return { kind: end === undefined ? 'key' : 'token', isForeign: true, end: at + (end ?? keyEnd) };
}

/** `deploy key` is judged as the name `deploy_key`; of `the key` only the value can tell. */
function englishKey(before: string, end: number): Noun | undefined {
  // `AES-256 key`
  const noun = { isForeign: true, end } as const;
  if (/[\u3040-\u9fff]$/.test(before))
    return isPublicBefore.test(before) ? undefined : { ...noun, kind: 'key' };
  const word = /([a-z0-9]{2,20})(?:-\d{3})?[ -]$/.exec(before)?.[1];
  if (word === undefined) return undefined;
  if (/^(?:the|my|our|your|this|that|new|old|is|here|first|second|third|other|next|last)$/.test(word))
    return { ...noun, kind: 'key' };
  // A name `storageKey` holds the name of an entry.
  if (word !== 'storage' && word !== 'sas' && sensitivityOf(`${word} key`) === 'none') return undefined;
  return { ...noun, kind: 'token' };
}
