import { body, fill, patterned, prefixed, type Rule } from '../rule.ts';

/** Code hosting, continuous integration and package registries. */
export const codeRules: readonly Rule[] = [
  // github.blog 2021-04-05: behind GitHub's new authentication token formats.
  prefixed('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], body('word', 36)),
  patterned(
    'github-token',
    ['ghs_'],
    /(?<![\w-])ghs_\d{1,12}_eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]{10,})?/,
    () => [`ghs_12345_eyJ${fill('url', 20)}.${fill('url', 30)}.${fill('url', 30)}`],
  ),
  prefixed('github-token', ['github_pat_'], body('word', 36)),
  // docs.gitlab.com/security/tokens: token prefixes.
  prefixed(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glft-', 'glsoat-', 'glffct-', 'glwt-', 'glrtr-'],
    body('url', 20),
  ),
  patterned(
    'gitlab-token',
    ['glpat-', 'glrt-', 'gldt-'],
    /(?<![\w-])gl(?:pa|r|d)t-[\w-]{20,300}\.[\w.]{7,40}/,
    () => [`glpat-${fill('url', 27)}.${fill('lower', 9)}`],
  ),
  patterned('gitlab-token', ['glrt-t'], /(?<![\w-])glrt-t\d_[\w-]{20,300}(?:\.[\w.]{7,40})?/, () => [
    `glrt-t1_${fill('url', 27)}.${fill('lower', 9)}`,
  ]),
  patterned('gitlab-token', ['glcbt-'], /(?<![\w-])glcbt-(?:[0-9a-zA-Z]{1,5}_)?[\w-]{16,300}/, () => [
    `glcbt-64_${fill('url', 20)}`,
  ]),
  prefixed('gitlab-token', ['glptt-'], body('url', 40)),
  prefixed('gitlab-token', ['glimt-'], body('url', 25)),
  prefixed('gitlab-token', ['glagent-'], body('url', 50)),
  prefixed('gitlab-token', ['gloas-'], body('url', 64)),
  prefixed('gitlab-token', ['GR1348941'], body('url', 20)),
  patterned('gitlab-session', ['_gitlab_session='], /_gitlab_session=([\w%-]{16,400})/, () => [
    `_gitlab_session=${fill('hex', 32)}`,
  ]),
  prefixed('bitbucket-token', ['ATBB', 'ATCTT3xFfG', 'BBDC-'], body('wide', 24)),
  patterned(
    'sourcegraph-token',
    ['sgp_', 'slk_'],
    /(?<![\w-])(?:sgp_(?:local_|[0-9a-fA-F]{16}_)?[0-9a-fA-F]{40}|slk_[0-9a-f]{64})(?![\w])/,
    () => [`sgp_${fill('hex', 16)}_${fill('hex', 40)}`],
    { entropyMin: 2.5 },
  ),
  prefixed('circleci-token', ['CCIPAT_', 'CCIPRJ_'], body('word', 40)),
  prefixed(
    'buildkite-token',
    ['bkua_', 'bkct_', 'bkaj_', 'bkrt_', 'bkat_', 'bkpat_', 'bkcq_'],
    body('url', 32),
  ),
  prefixed('npm-token', ['npm_'], body('alnum', 36)),
  // pypi.org/help/#apitoken: a macaroon whose first bytes name the host.
  prefixed('pypi-token', ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'], body('url', 50)),
  prefixed('rubygems-token', ['rubygems_'], body('hex', 48)),
  prefixed('crates-token', ['cio'], body('alnum', 32, 32)),
  prefixed('clojars-token', ['CLOJARS_'], body('alnum', 60)),
  prefixed('nuget-key', ['oy2'], body('lower', 43, 43)),
  prefixed('docker-token', ['dckr_pat_', 'dckr_oat_', 'dckr_rt_'], body('url', 24)),
  prefixed('artifactory-key', ['AKCp'], body('alnum', 60)),
  prefixed('artifactory-token', ['cmVmdGtuO'], body('alnum', 50)),
  prefixed('octopus-key', ['API-'], body('upper', 26, 26)),
  prefixed('snyk-token', ['snyk_uat.', 'snyk_sat.'], body('lower', 8, 8), '.', body('url', 40)),
  prefixed('sonar-token', ['squ_', 'sqp_', 'sqa_'], body('alnum', 40, 40)),
  patterned(
    'infracost-key',
    ['ico-'],
    /(?<![\w.-])ico-[A-Za-z0-9]{32}(?!\w)/,
    () => ['ico-' + fill('alnum', 32)],
    {
      entropyMin: 3,
    },
  ),
  prefixed('jenkins-token', ['11'], body('hex', 32, 32)),
  prefixed('postman-key', ['PMAK-'], body('anyHex', 24, 24), '-', body('anyHex', 34)),
  prefixed('postman-key', ['PMAT-'], body('upper', 26)),
  prefixed('readme-key', ['rdme_'], body('lower', 70)),
  prefixed('deno-token', ['ddp_', 'ddo_', 'ddw_'], body('alnum', 36, 40)),
  prefixed('kubeadm-key', ['K10'], body('hex', 64, 64), '::', body('word', 4, 40), ':', body('alnum', 16)),
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
];
