/**
 * The baseline program of the window benchmarks: an Electron window that opens the address in the last argument.
 */
import { app, BrowserWindow } from 'electron';

app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1440, height: 900, webPreferences: { sandbox: true } });
  window.loadURL(process.argv.at(-1));
});
app.on('window-all-closed', () => app.quit());
