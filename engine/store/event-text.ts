/**
 * The JSON text of single events, the same as `JSON.stringify` gives. Those that every node tells are put together by hand:
 * a durable run writes them for each node, and the general way costs several times as much.
 */
import type { RunEvent } from '../kernel/run-event.ts';

/** The event as JSON. */
export function eventText(event: RunEvent): string {
  switch (event.type) {
    case 'task:start': {
      const { taskId, nodeId, nodeType, resumed } = event;
      if (nodeId === undefined || nodeType === undefined || resumed !== undefined) break;
      return `{"type":"task:start","taskId":${quoted(taskId)},"nodeId":${quoted(nodeId)},"nodeType":${quoted(nodeType)}}`;
    }
    case 'task:complete': {
      const { taskId, nodeId, result, durationMs, attempts } = event;
      if (nodeId === undefined) break;
      return `{"type":"task:complete","taskId":${quoted(taskId)},"nodeId":${quoted(nodeId)},"result":${JSON.stringify(result)},"durationMs":${durationMs},"attempts":${attempts}}`;
    }
    case 'node:input':
      return `{"type":"node:input","nodeId":${quoted(event.nodeId)},"input":${JSON.stringify(event.input)}}`;
    case 'edge:fired': {
      const { edgeId, from, to, detail } = event;
      if (detail !== undefined) break;
      return `{"type":"edge:fired","edgeId":${quoted(edgeId)},"from":${quoted(from)},"to":${quoted(to)}}`;
    }
    default:
  }
  return JSON.stringify(event);
}

const plain = /^[\w.:>[\]#-]*$/;

/** Ids seldom hold anything that JSON would write in another way. */
function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}
