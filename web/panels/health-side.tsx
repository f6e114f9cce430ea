import { useNow } from '../parts/hooks.ts';
import { Meter } from '../parts/meter.tsx';
import { Plain } from '../parts/plain.tsx';
import type { Status, Used } from '../shapes.ts';
import { ago, count, fullTime, plural } from '../text/words.ts';

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <section class="panel" aria-labelledby="warnings-title">
      <h2 id="warnings-title">Warnings</h2>
      {warnings.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <ul class="warnings">
          {warnings.map((warning) => (
            <li key={warning}>
              <Warning text={warning} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The first sentence of a warning says what happened, the others what to do. */
function Warning({ text }: { text: string }) {
  const [what = '', ...repair] = text.split(/(?<=\.) +(?=[A-Z`])/);
  return (
    <>
      <Plain as="p" text={what} />
      {repair.length > 0 && <Plain as="p" class="repair" text={repair.join(' ')} />}
    </>
  );
}

/** Which assistants are connected or have sent something, and when each last did: one that is silent may have lost its hooks. */
export function Assistants({ recorded, connected }: Pick<Status, 'recorded' | 'connected'>) {
  const nowMs = useNow();
  const silent = connected.filter((name) => !recorded?.some(({ client }) => client === name));
  return (
    <section class="panel" aria-labelledby="assistants-title">
      <h2 id="assistants-title">
        Assistants <span class="quiet">with their last capture</span>
      </h2>
      {silent.length + (recorded ?? []).length === 0 && (
        <p class="quiet">
          None is connected: <kbd>memd setup</kbd>
        </p>
      )}
      <dl class="counters one-column">
        {recorded?.map(({ client, sessions, lastTs }) => (
          <div key={client}>
            <dt>
              <Plain text={client} />
              <span class="quiet">
                : {connected.includes(client) ? '' : 'not '}connected, {plural(sessions, 'session')}
              </span>
            </dt>
            <dd title={fullTime(lastTs)}>{ago(lastTs, nowMs)}</dd>
          </div>
        ))}
        {silent.map((name) => (
          <div key={name}>
            <dt>
              <Plain text={name} />
              <span class="quiet">: connected</span>
            </dt>
            <dd>nothing yet</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function Spend({ status: { usage, budget } }: { status: Status }) {
  const used = budget === null ? 0 : budget.dailyTokens - budget.remainingTokens;
  return (
    <section class="panel" aria-labelledby="spend-title">
      <h2 id="spend-title">
        Spend <span class="quiet">today, UTC</span>
      </h2>
      {budget !== null && (
        <>
          <Meter
            value={used}
            most={Math.max(1, budget.dailyTokens)}
            label={`${count(used)} of ${count(budget.dailyTokens)} tokens`}
          />
          <p>
            {count(used)} of {count(budget.dailyTokens)} tokens of the daily budget.
          </p>
        </>
      )}
      {usage.length === 0 ? (
        <p class="quiet">No model was called{budget === null ? ', and no paid one is set up' : ''}.</p>
      ) : (
        <div class="scroll-x">
          <table class="usage">
            <thead>
              <tr>
                <th scope="col">model</th>
                <th scope="col">calls</th>
                <th scope="col">in</th>
                <th scope="col">out</th>
                <th scope="col">cost</th>
              </tr>
            </thead>
            <tbody>
              {usage.map((use) => (
                <tr key={`${use.backend} ${use.model}`}>
                  <th scope="row">
                    <Plain text={use.model} /> <span class="quiet">{use.backend}</span>
                  </th>
                  <td>{count(use.calls)}</td>
                  <td>{count(use.inputTokens)}</td>
                  <td>{count(use.outputTokens)}</td>
                  <td>{use.costUsd === null ? 'unknown' : `$${use.costUsd.toFixed(4)}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

export function Counters({ counters }: { counters: Status['counters'] }) {
  const entries = Object.entries(counters ?? {});
  if (entries.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="counters-title">
      <h2 id="counters-title">
        Counters <span class="quiet">since the start</span>
      </h2>
      <dl class="counters">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)}</dt>
            <dd>{count(Math.round(value))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What memory gave to sessions, and how much of it was used afterwards. */
export function Receipts({ receipts }: { receipts: Status['receipts'] }) {
  if (receipts === null || receipts.since === null) return null;
  const { outlines, recalls, tools, used, since } = receipts;
  const calls = Object.values(tools).reduce((sum, one) => sum + one, 0);
  const rows: readonly (readonly [string, Used])[] = [
    ['commands run again', used.commands],
    ['files opened', used.files],
    ['memories read as a whole', used.hits],
  ];
  return (
    <section class="panel" aria-labelledby="receipts-title">
      <h2 id="receipts-title">
        Given <span class="quiet">since {since.slice(0, 10)}</span>
      </h2>
      <p>
        {plural(outlines, 'outline')}, {plural(recalls, 'recall')}, {plural(calls, 'tool call')}.
      </p>
      <div class="scroll-x">
        <table class="given">
          <thead>
            <tr>
              <th scope="col">used afterwards</th>
              <th scope="col">given</th>
              <th scope="col">used</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, one]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{count(one.given)}</td>
                <td>{count(one.used)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
