// The skill viewer that MCP hosts show beside a conversation: everything it knows comes through the host's bridge.
import { App } from '@modelcontextprotocol/ext-apps';
import { render } from 'preact';
import '../src/styles/tokens.css';
import '../src/styles/base.css';
import '../src/styles/card.css';
import '../src/styles/table.css';
import '../src/styles/marks.css';
import '../src/styles/button.css';
import '../src/styles/field.css';
import '../src/styles/states.css';
import '../src/styles/content.css';
import './viewer.css';
import { createBridge } from './bridge.ts';
import { Viewer } from './viewer.tsx';

const bridge = createBridge(new App({ name: 'repertoire-skills', version: '1' }, {}));
const place = document.getElementById('app');
if (place !== null) render(<Viewer bridge={bridge} />, place);
void bridge.connect();
