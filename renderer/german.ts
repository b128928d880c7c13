/**
 * The German text of all areas.
 */
import { german as appCommands } from './app/commands/text.de.ts';
import { german as appEditor } from './app/editor/text.de.ts';
import { german as appFiles } from './app/files/text.de.ts';
import { german as appNodes } from './app/nodes/text.de.ts';
import { german as canvas } from './canvas/text.de.ts';
import { german as card } from './card/text.de.ts';
import { german as catalogue } from './catalogue/text.de.ts';
import { german as packs } from './packs/text.de.ts';
import { german as settings } from './settings/text.de.ts';
import { addTranslation } from './ui/language.ts';
import { german as workspaceView } from './workspace-view/text.de.ts';

addTranslation('app/commands', appCommands);
addTranslation('app/editor', appEditor);
addTranslation('app/files', appFiles);
addTranslation('app/nodes', appNodes);
import { german as appQuickPick } from './app/quick-pick/text.de.ts';
import { german as appRun } from './app/run/text.de.ts';
import { german as appShell } from './app/shell/text.de.ts';
import { german as app } from './app/text.de.ts';
import { german as bridge } from './bridge/text.de.ts';
import { german as settingsModels } from './settings/models/text.de.ts';
import { german as settings } from './settings/text.de.ts';
import { german as settingsTools } from './settings/tools/text.de.ts';
import { addTranslation } from './ui/language.ts';
import { german as ui } from './ui/text.de.ts';

addTranslation('app', app);
addTranslation('app/quick-pick', appQuickPick);
addTranslation('app/run', appRun);
addTranslation('app/shell', appShell);
addTranslation('bridge', bridge);
addTranslation('canvas', canvas);
addTranslation('card', card);
addTranslation('catalogue', catalogue);
addTranslation('packs', packs);
import { german as conversation } from './conversation/text.de.ts';
import { german as outline } from './outline/text.de.ts';
import { german as runViewLog } from './run-view/log/text.de.ts';
import { german as runView } from './run-view/text.de.ts';
import { german as settings } from './settings/text.de.ts';
import { german as textView } from './text-view/text.de.ts';
import { addTranslation } from './ui/language.ts';

addTranslation('conversation', conversation);
addTranslation('outline', outline);
addTranslation('run-view', runView);
addTranslation('run-view/log', runViewLog);
import { german as inspectorFields } from './inspector/fields/text.de.ts';
import { german as inspector } from './inspector/text.de.ts';
import { german as settings } from './settings/text.de.ts';
import { german as storesAgents } from './stores/agents/text.de.ts';
import { german as storesConversations } from './stores/conversations/text.de.ts';
import { german as storesCurl } from './stores/curl/text.de.ts';
import { german as storesFlow } from './stores/flow/text.de.ts';
import { addTranslation } from './ui/language.ts';

addTranslation('inspector', inspector);
addTranslation('inspector/fields', inspectorFields);
import { german as agentLanguage } from './agent-editor/language/text.de.ts';
import { german as agentEditor } from './agent-editor/text.de.ts';
import { german as agentView } from './agent-view/text.de.ts';
import { german as inspectorRun } from './inspector/run/text.de.ts';
import { german as schemaForm } from './inspector/schema-form/text.de.ts';
import { german as settings } from './settings/text.de.ts';
import { addTranslation } from './ui/language.ts';

addTranslation('agent-editor', agentEditor);
addTranslation('agent-editor/language', agentLanguage);
addTranslation('agent-view', agentView);
addTranslation('inspector/run', inspectorRun);
addTranslation('inspector/schema-form', schemaForm);
addTranslation('settings', settings);
addTranslation('workspace-view', workspaceView);
addTranslation('text-view', textView);
addTranslation('settings/models', settingsModels);
addTranslation('settings/tools', settingsTools);
addTranslation('ui', ui);
addTranslation('stores/agents', agents);
addTranslation('stores/conversations', conversations);
addTranslation('stores/curl', curl);
addTranslation('stores/agents', storesAgents);
addTranslation('stores/conversations', storesConversations);
addTranslation('stores/curl', storesCurl);
addTranslation('stores/flow', storesFlow);
