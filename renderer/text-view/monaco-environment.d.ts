/** The global from which Monaco gets its workers. Monaco's types omit it. */
declare global {
  var MonacoEnvironment: { getWorker(workerId: string, label: string): Worker } | undefined;
}

export {};
