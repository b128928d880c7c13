/**
 * The titles of notices about conversations.
 */
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('stores/conversations', {
  openFailed: "Couldn't open the conversation",
  readEarlierStateFailed: "Couldn't read the earlier state",
  readOlderFailed: "Couldn't read earlier messages",
  runPlanFailed: "Couldn't start the plan",
  moveFailed: "Couldn't move the conversation",
  sendFailed: "Couldn't send the message",
  sendValuesFailed: "Couldn't send the values",
  dropFailed: "Couldn't cancel the flow",
  continueFailed: "Couldn't continue the conversation",
  cancelFailed: "Couldn't cancel the turn",
  rollBackFailed: "Couldn't take back the turn",
});
