/**
 * The log of a file's edits, which window and main keep alike.
 */
export {
  type EditLog,
  type EditStep,
  newEditLog,
  partsOfStep,
  takeStep,
} from '../../electron/ipc/edit-log.ts';
