import type { RunId } from '../base/ids.ts';
import type { EvaluationWorld } from './run-tests.ts';
import type { SavedTest, SaveTest, TestProposal } from './saved-test.ts';
export async function proposeTest(_runId: RunId, _world: EvaluationWorld): Promise<TestProposal> {
  throw new Error('todo');
}
export async function saveTest(_request: SaveTest, _world: EvaluationWorld): Promise<SavedTest> {
  throw new Error('todo');
}
