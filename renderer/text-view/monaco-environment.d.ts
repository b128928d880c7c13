/** Where Monaco asks for its workers; its own types leave this global out. */
declare global {
  var MonacoEnvironment: { getWorker(workerId: string, label: string): Worker } | undefined;
}

export {};
