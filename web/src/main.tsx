// Starts the dashboard: the reader's theme, then the session, then the page that the address names.
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/card.css';
import './styles/table.css';
import './styles/marks.css';
import './styles/button.css';
import './styles/field.css';
import './styles/states.css';
import './styles/windows.css';
import './styles/content.css';
import './styles/connect.css';
import './styles/timeline.css';
import './styles/library.css';
import { applyTheme } from './browser/theme.ts';
import { Dashboard } from './dashboard.tsx';

applyTheme();
const place = document.getElementById('app');
if (place !== null) render(<Dashboard />, place);
