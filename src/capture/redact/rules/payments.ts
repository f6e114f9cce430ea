import { fill, patterned, type Rule } from '../rule.ts';
import { looksRandom } from '../value.ts';

/** Payments, shops and money. */
export const paymentRules: readonly Rule[] = [
  patterned(
    'braintree-token',
    ['access_token$'],
    /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/,
    () => [`access_token$${'sandbox'}$${fill('lower', 16)}$${fill('hex', 32)}`],
  ),
  patterned(
    'messagebird-key',
    ['live_', 'test_'],
    /(?:live|test)_[A-Za-z0-9]{25}(?!\w)/,
    () => [`live_${fill('alnum', 25)}`],
    { bounded: true, check: (secret) => /\d/.test(secret) && looksRandom(secret.slice(5)) },
  ),
  patterned(
    'freemius-key',
    ['secret_key'],
    /secret_key["']?\s{0,20}=>\s{0,20}["'](sk_[^\s"']{29})["']/,
    () => [`"secret_key" => "sk_${fill('alnum', 29)}"`],
  ),
];
