import { fill, patterned, type Rule } from '../rule.ts';

/** Code hosting, continuous integration and package registries. */
export const codeRules: readonly Rule[] = [
  patterned(
    'github-token',
    ['ghs_'],
    /ghs_\d{1,12}_eyJ[\w-]{10}/,
    () => [`ghs_12345_eyJ${fill('url', 20)}.${fill('url', 30)}.${fill('url', 30)}`],
    { at: 'anywhere', tail: ['url', /\.[\w-]{10}/, 'url', /(?:\.[\w-]{10})?/, 'url'] },
  ),
  patterned(
    'gitlab-token',
    ['glpat-', 'glrt-', 'gldt-'],
    /gl(?:pa|r|d)t-[\w-]{20}/,
    () => [`glpat-${fill('url', 27)}.${fill('lower', 9)}`],
    { at: 'anywhere', tail: ['url', /\.[\w.]{7,40}/] },
  ),
  patterned(
    'gitlab-token',
    ['glcbt-'],
    /glcbt-(?:[0-9a-zA-Z]{1,5}_)?[\w-]{16}/,
    () => [`glcbt-64_${fill('url', 20)}`],
    { at: 'anywhere', tail: ['url'] },
  ),
  patterned(
    'sourcegraph-token',
    ['sgp_', 'slk_'],
    /(?:sgp_(?:local_|[0-9a-fA-F]{16}_)?[0-9a-fA-F]{40}|slk_[0-9a-f]{64})(?![A-Za-z0-9])/,
    () => [`sgp_${fill('hex', 16)}_${fill('hex', 40)}`],
    { at: 'anywhere', entropyMin: 2.5 },
  ),
  patterned(
    'sidekiq-credentials',
    ['gems.contribsys.com', 'enterprise.contribsys.com'],
    /https?:\/\/([0-9a-f]{8}:[0-9a-f]{8})@(?:gems|enterprise)\.contribsys\.com/i,
    () => ['https://' + 'cafe1234:' + 'beef5678@gems.contribsys.com'],
    { before: 30 },
  ),
  patterned(
    'sidekiq-credentials',
    ['contribsys__com'],
    /CONTRIBSYS__COM["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([0-9a-f]{8}:[0-9a-f]{8})/i,
    () => ['BUNDLE_GEMS__CONTRIBSYS__COM=' + 'cafe1234:' + 'beef5678'],
  ),
  patterned(
    'infracost-key',
    ['ico-'],
    /(?<![\w.-])ico-[A-Za-z0-9]{32}(?!\w)/,
    () => ['ico-' + fill('alnum', 32)],
    {
      entropyMin: 3,
    },
  ),
];
