// The daemon through vscode-jsonrpc, which frames messages as StreamJsonRpc and language servers do.
//
// Usage: node rpc_client.js PROGRAM REPOSITORY    (the demonstration repository; needs the package `vscode-jsonrpc`)
//
// Calls methods, cancels one with the library's own token, and hears progress. Exits with 1 where something is wrong.

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const rpc = require('vscode-jsonrpc/node');

const [program, repository] = process.argv.slice(2);

async function main() {
  const child = spawn(program, ['-C', repository, 'daemon', 'stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  connection.listen();

  const welcome = await connection.sendRequest('Hello', { protocols: [1] });
  assert.equal(welcome.protocol, 1);

  const token = 'indexing';
  const progress = [];
  connection.onProgress(new rpc.ProgressType(), token, (value) => progress.push(value));
  const map = await connection.sendRequest('map', { $context: { progressToken: token } });
  assert.ok(map.answer, 'map answers');

  for (const [method, params] of [
    ['ResolveSymbol', { symbol: 'FiringQueue' }],
    ['GetOutline', { symbol: 'FiringQueue' }],
    ['FindUsages', { symbol: 'FiringQueue' }],
    ['SearchSymbols', { query: 'FQ' }],
    ['DiffContext', { revisions: ['HEAD~3..HEAD'] }],
    ['ListPacks', {}],
    ['GetPromptWindow', {}],
    ['Status', {}],
  ]) {
    const envelope = await connection.sendRequest(method, params);
    assert.ok(envelope.answer, method);
  }

  await assert.rejects(
    connection.sendRequest('usages', { symbol: 'Xyzzy.Plugh' }),
    (error) => error instanceof rpc.ResponseError && error.data.code === 'SymbolNotFound');

  const source = new rpc.CancellationTokenSource();
  const canceled = connection.sendRequest('index', { history: 'HEAD', fresh: true }, source.token);
  source.cancel();
  // It may be answered before it is canceled; it never stays without a reply.
  await canceled.catch((error) => assert.equal(error.code, -32800));

  const many = Array.from({ length: 100 }, () => connection.sendRequest('resolve', { symbol: 'FiringQueue' }));
  const answers = (await Promise.all(many)).map((it) => JSON.stringify(it));
  assert.ok(answers.every((it) => it === answers[0]), 'equal requests have equal answers');

  connection.dispose();
  child.stdin.end();
  console.log(`methods answer; ${progress.length} notifications of progress`);
}

main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
