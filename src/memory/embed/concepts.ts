import { stem } from '#reading/terms';

/**
 * The concepts of a stem: words that developers use for the same thing share a feature, so that "delete the credentials" is near
 * "remove the api key".
 */
export function conceptsOf(term: string): readonly number[] {
  table ??= readTable();
  return table.get(term) ?? none;
}

const none: readonly number[] = [];

/** One concept a line. A word may be in several. */
const concepts = `
delete remove drop erase purge prune cleanup clean discard unset strip
add create insert append introduce generate new init initialize scaffold
change update modify edit alter adjust revise tweak rewrite refactor amend
fix repair resolve correct patch bug bugfix hotfix mend
error exception failure fail crash panic broken throw fault abort
test spec assert expect verify unit coverage vitest jest pytest
mock stub fake fixture double
config configuration setting option preference flag parameter env environment
auth authentication login signin oauth sso session credential
authorization permission access role acl privilege allow deny
secret token credential password key apikey passphrase
database db sql sqlite postgres mysql query schema table
migrate migration upgrade schema version
cache memoize ttl evict invalidate redis memcached
slow performance perf latency speed optimize fast benchmark profile
memory heap leak oom allocation rss
concurrency race lock mutex deadlock parallel thread atomic
async await promise callback future concurrent
queue worker job task background schedule cron
log logging logger trace telemetry debug metric observability
document docs documentation readme guide comment changelog
build compile bundle webpack vite esbuild transpile tsc
deploy release publish ship rollout production
ci pipeline workflow github action continuous
install dependency package npm yarn pnpm pip module library
format lint style prettier eslint biome gofmt
type typing typescript interface generic annotation
rename move relocate mv
start launch run execute spawn boot begin
stop kill terminate shutdown end quit exit halt
retry backoff attempt reconnect resilience
timeout deadline expire expiry hang stuck
network http request fetch api endpoint rest client
server daemon service backend host listen
socket connection connect port tcp websocket
parse parser tokenize decode deserialize lexer
serialize encode stringify marshal json
validate validation check sanitize verify guard
search find lookup query locate grep discover
filter select match pick choose
sort order rank score
list enumerate index listing collection
display show render print view present
hide invisible collapse conceal suppress
ui frontend page component layout screen react
button click menu dropdown modal dialog
style css theme color colour font dark
image icon logo picture svg png
user account profile customer member
email mail message notification notify alert
payment billing invoice charge checkout price cost
upload import ingest load
download export save dump
file document folder directory path
input prompt form field argument
output result response reply return
branch commit merge rebase git checkout
diff patch change delta hunk
pull pr review approve mr
hook trigger event listener callback handler
command cli terminal shell bash console subcommand
docker container image kubernetes pod compose
encrypt decrypt hash crypto sign signature cipher
copy duplicate clone replicate
unused dead obsolete deprecated legacy stale
default fallback initial preset
enable activate allow toggle
disable deactivate off block prevent forbid
missing absent lost undefined null nil empty
duplicate repeat redundant dedupe dedup twice
limit bound cap maximum max threshold quota
summary summarize overview digest abstract
agent assistant llm model ai claude gpt copilot cursor
transcript conversation chat session history
checkpoint snapshot backup restore savepoint
rollback revert undo rewind reset
plan design architecture proposal strategy
rule policy standard guideline convention
context instruction prompt system
skill capability plugin extension addon
evaluate evaluation evaluator assess score grade judge
report analysis analyze statistics insight
wrong incorrect invalid bad malformed
same equal identical match
`;

/** Built on first use: most daemons embed nothing most of the time. */
let table: ReadonlyMap<string, readonly number[]> | null = null;

function readTable(): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [concept, line] of concepts.trim().split('\n').entries()) {
    for (const word of new Set(line.split(' ').map(stem))) {
      const of = found.get(word);
      if (of === undefined) found.set(word, [concept]);
      else of.push(concept);
    }
  }
  return found;
}
