import { judgeSaid, type SaidNoun } from './prose-value.ts';
import { isBoundary, ranks, type Scanner } from './rule.ts';

/**
 * Secrets in sentences, where no sign assigns them: `the password for staging is x`, `use token x`, `x is my password`,
 * `log in as user / x`, `mein Passwort lautet x`.
 */
export const prose: Scanner = {
  keywords: [
    ...[
      'passw',
      'passphrase',
      'passcode',
      'pw',
      'pin ',
      'token',
      'secret',
      'kennwort',
      'contrase',
      'mot de passe',
    ],
    ...[
      'mdp',
      'senha',
      'wachtwoord',
      'hasło',
      'haslo',
      'паро',
      '密',
      'パスワ',
      '비밀',
      'lösen',
      'heslo',
      'parola',
      'şifre',
    ],
    ...[
      'adgangskode',
      'kodeord',
      'salasana',
      'api key',
      'apikey',
      'api-key',
      'access key',
      'license key',
      'encryption key',
    ],
    ...[
      'login',
      'log in',
      'sign in',
      'credential',
      'creds',
      'zugangsdaten',
      'identifiants',
      'credenciales',
      'ssh ',
    ],
  ],
  begin(text, add) {
    let seenUpTo = 0;
    return (start) => {
      if (start < seenUpTo || !isBoundary(text, start)) return;
      const noun = nounAt(text, start);
      if (noun === undefined) return;
      seenUpTo = noun.end;
      const found = valueAfter(text, start, noun) ?? valueBefore(text, start, noun);
      if (found === undefined) return;
      seenUpTo = Math.max(seenUpTo, found.end);
      const kind = noun.kind === 'token' ? 'secret' : 'password';
      add({ ...found, kind, rank: ranks.hint });
    };
  },
};

interface Noun {
  readonly kind: SaidNoun | 'login';
  readonly end: number;
  /** `name: value` is judged as an assignment where the name is English. */
  readonly isForeign: boolean;
}

const words: readonly (readonly [Noun['kind'], boolean, RegExp])[] = [
  ['password', false, /(?:passwords?|passwd|pass(?:phrase|code)|pwd)(?![\w-])/iy],
  ['pin', false, /pin(?: ?code)?(?![\w-])/iy],
  [
    'password',
    true,
    /(?:pw|passwor[td](?:et|s)?|passwörter|passord|kennwort|contraseñas?|contrasena|mot de passe|mdp|senha|wachtwoord|has[łl]o|парол[ьяею]|密[码碼]|パスワード|비밀번호|lösenord(?:et)?|heslo|parola|şifre(?:m|si)?|adgangskoden?|kodeordet|kodeord|salasana)(?![a-zà-ž-])/iy,
  ],
  [
    'token',
    false,
    /(?:tokens?|secret(?:[ -](?:access )?key)?|(?:api|access|license|encryption)[ -]?key)(?![\w-])/iy,
  ],
  [
    'login',
    false,
    /(?:log ?in|sign in|credentials?|creds|zugangsdaten|identifiants|credenciales|ssh)(?![\w-])/iy,
  ],
];

function nounAt(text: string, at: number): Noun | undefined {
  for (const [kind, isForeign, pattern] of words) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return { kind, isForeign, end: pattern.lastIndex };
  }
  return undefined;
}

interface Said {
  readonly start: number;
  readonly end: number;
}

const opening = '["\'`“„‘«「『]';
const value = `(?:(?:\\*\\*)?(?<quote>${opening})(?<quoted>[^"'\`”“’»」』\\n]{3,80})["'\`”“’»」』]|(?<bare>[^\\s"'\`“”„«»<>()[\\]{},;\\u3000-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef]{4,80}))`;
const lead =
  'for|of|to|on|in|at|from|by|that|which|i|we|you|he|she|they|für|vom|zum|von|auf|im|pour|de|du|del|della|do|da|di|van|voor|till|för|na|от|для|к';
const filler = `(?:\\(?[ \\t](?:${lead})(?:[ \\t][^\\s,;!?"'\`()]{1,30}){1,7}?\\)?)`;
const adverb =
  'now|still|just|literally|currently|actually|probably|simply|always|jetzt|noch|immer|maintenant|ahora|agora|adesso|nu|teraz';
const copula = `(?:[ \\t](?:is|was|are|were|(?:will|would|should|must|can) be|remains|equals|to|ist|war|lautet|heißt|est|était|es|era|é|è|är|er|este|je|jest)(?:[ \\t](?:${adverb}))?(?:[ \\t](?:set|changed|reset)[ \\t]to)?(?:[ \\t]?[:：])?|[ \\t]?(?:[是为為는은は]))`;
const sign = '(?:[ \\t]?(?:[:：]|[—–→]|->))';
const gap = '(?:[ \\t]{0,4}|[ \\t]{0,4}\\n{1,2}(?:```\\w{0,12}\\n)?[ \\t>]{0,4})';

const said = new RegExp(`${copula}[ \\t]{0,4}${value}`, 'iuy');
const saidOf = new RegExp(`${filler}(?:${copula}|${sign})[ \\t]{0,4}${value}`, 'iuy');
const signed = new RegExp(`${sign}[ \\t]{0,4}${value}`, 'iuy');
const shown = new RegExp(`(?:${filler}|${copula})?[ \\t]?:${gap}${value}(?=[ \\t]{0,40}(?:\\n|$))`, 'iuy');
const next = new RegExp(`(?:[ \\t]{1,2}|[ \\t]?\\()${value}`, 'iuy');
const pair = new RegExp(
  `(?:[ \\t](?:is|are|sind|sont|son|with|using|as|mit|avec|con|into|it|in|via|user)){0,4}[ \\t]?[:：]?[ \\t]{0,2}["'\`]?[\\w.@+-]{2,40}["'\`]?(?:[ \\t]?[/:][ \\t]?|[ \\t](?:and|with|und|et|y|e)[ \\t])${value}`,
  'iuy',
);
/** What comes before a noun whose value follows it without a verb. */
const asked =
  /(?:^|[\s(])(?:use|using|with|try|enter|type|mit|avec|con|com|met|med|and|und|provide|store|user:?[ \t]\S{2,40},?)(?:[ \t](?:the|this|my|our|a|new|same|dem|das|le|el|la)){0,2}(?:[ \t][a-z]{2,12})?[ \t]$/i;
/** `x is the password`, `x as my password`. */
const before = new RegExp(
  `(?:^|[\\s(])${value}[ \\t](?:is|was|as|ist|war|als|est|es|é|è|comme|como|come)[ \\t](?:(?:the|my|our|your|a|das|mein|unser|le|mon|la|mi|il|sua|minha)[ \\t])(?:[\\p{L}-]{2,16}[ \\t]){0,2}$`,
  'iu',
);
const lookedBackChars = 120;

function valueAfter(text: string, start: number, noun: Noun): Said | undefined {
  if (noun.kind === 'login') return match(pair, text, noun.end, noun.kind, 'loose');
  const direct = match(said, text, noun.end, noun.kind, 'direct');
  if (direct !== undefined) return direct;
  const other =
    match(saidOf, text, noun.end, noun.kind, 'loose') ??
    (noun.isForeign ? match(signed, text, noun.end, noun.kind, 'direct') : undefined) ??
    match(shown, text, noun.end, noun.kind, 'loose');
  if (other !== undefined) return other;
  const isAsked =
    noun.isForeign ||
    text.startsWith(' (', noun.end) ||
    asked.test(text.slice(Math.max(0, start - 60), start));
  return isAsked ? match(next, text, noun.end, noun.kind, 'loose') : undefined;
}

function valueBefore(text: string, start: number, noun: Noun): Said | undefined {
  if (noun.kind === 'login' || !ended.test(text.slice(noun.end, noun.end + 8))) return undefined;
  const from = Math.max(0, start - lookedBackChars);
  const found = before.exec(text.slice(from, start));
  return found === null ? undefined : accepted(found, from + found.index, noun.kind, 'loose');
}
/** Not the first part of a longer name: `x is the password hash`. */
const ended = /^(?:$|[.,;:!?)\n]|[ \t](?:for|of|on|in|to|and|für|pour|para|per|de|del|du|we|i|you)[ \t])/i;

function match(
  pattern: RegExp,
  text: string,
  at: number,
  noun: Noun['kind'],
  link: 'direct' | 'loose',
): Said | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? undefined : accepted(found, found.index, noun, link);
}

function accepted(
  found: RegExpExecArray,
  at: number,
  noun: Noun['kind'],
  link: 'direct' | 'loose',
): Said | undefined {
  const { quoted, bare } = found.groups ?? {};
  const whole = quoted ?? bare ?? '';
  const text = quoted ?? whole.replace(/[.:?]+$/, '');
  if (!judgeSaid(text, noun === 'login' ? 'password' : noun, link, quoted !== undefined)) return undefined;
  const start = at + found[0].lastIndexOf(whole);
  return { start, end: start + text.length };
}
