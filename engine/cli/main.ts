/**
 * The command line program `millrace`. The build puts the line before it that lets a shell start it.
 */
// From 22.1 on, Node can keep the compiled form of modules among the temporary files, so that the next start is faster.
// It has to be asked before they are loaded.
const nodeModule = process.getBuiltinModule('node:module');
if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function') {
  nodeModule.enableCompileCache();
}

void import('./run-cli.ts').then(async ({ runCli }) => {
  process.exitCode = await runCli(process);
});

export {};
