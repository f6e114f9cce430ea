import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLine } from './incoming.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('a line of a client', () => {
  test('that is a message is handed on', () => {
    expect(readLine(JSON.stringify(ping))).toMatchObject({ kind: 'message', message: ping });
    expect(readLine(`${JSON.stringify(ping)}\r`)).toMatchObject({ kind: 'message' });
    const received = { jsonrpc: '2.0', method: 'notifications/of-some-kind' };
    expect(readLine(JSON.stringify(received))).toMatchObject({ kind: 'message', message: received });
  });

  test.each([
    ['garbage', -32700, null],
    ['{"jsonrpc":"2.0","id":1', -32700, null],
    [JSON.stringify([ping, ping]), -32600, null],
    ['[]', -32600, null],
    ['7', -32600, null],
    ['null', -32600, null],
    ['{"jsonrpc":"2.0","id":4,"method":5}', -32600, 4],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, 'a'],
    ['{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}', -32600, 4],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
  ])('%s is answered', (line, code, id) => {
    expect(readLine(line)).toMatchObject({ kind: 'refused', reply: { jsonrpc: '2.0', id, error: { code } } });
  });

  test.each(['', '   ', '{"jsonrpc":"2.0","method":7}', '{}', '{"jsonrpc":"2.0","id":3,"error":5}'])(
    '%j is not answered: nothing in it asks for that',
    (line) => {
      expect(readLine(line)).toEqual({ kind: 'nothing' });
    },
  );

  test('that is refused is not repeated to anyone', () => {
    expect(JSON.stringify(readLine('{"token":"hush"'))).not.toContain('hush');
  });

  test.each(['null', '"query"', '[1]', '7'])('arguments that are %s are for the tool to refuse', (args) => {
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mem_get","arguments":${args}}}`;
    expect(readLine(call)).toMatchObject({
      kind: 'message',
      message: { params: { name: 'mem_get', arguments: {} } },
    });
  });

  test('of any content throws nothing', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .record({
          jsonrpc: fc.constant('2.0'),
          id: fc.jsonValue(),
          method: fc.jsonValue(),
          params: fc.jsonValue(),
        })
        .map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(line, (text) => {
        expect(['message', 'refused', 'nothing']).toContain(readLine(text).kind);
      }),
    );
  });

  test('nested without end is no danger', () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expect(readLine(deep).kind).toBe('message');
  });
});
