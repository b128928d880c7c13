/**
 * Pictures of a flow, to a file or to the clipboard.
 */
import { initialFlowView } from '../../stores/selection.ts';
import { selectShownRun } from '../../stores/use-flow.ts';
import { fileNameOf } from '../../stores/workspace.ts';
import type { CanvasDesk } from '../canvas-desk.ts';
import { flowPicture } from './flow-picture.ts';
import { flowSvg, type SvgPicture } from './flow-svg.ts';
import { embeddedFonts } from './picture-fonts.ts';
import { readPictureLook } from './picture-look.tsx';
import { rasterise } from './rasterise.ts';

function draw(desk: CanvasDesk, frame: Element, styles: string): SvgPicture {
  const { path, stores, moment } = desk;
  const run = selectShownRun(stores.liveRuns.getState(), path);
  const { items } = stores.selection.getState().views.get(path) ?? initialFlowView;
  const { hidesNotes } = moment.getState();
  return flowSvg(flowPicture({ ...desk, run, items, hidesNotes }), readPictureLook(frame), styles);
}

async function pngOf(desk: CanvasDesk, frame: Element): Promise<Blob> {
  return rasterise(draw(desk, frame, await embeddedFonts(document)));
}

/** Asks where to, and saves the whole flow as it looks now. What goes wrong becomes a notice. */
export async function savePicture(desk: CanvasDesk, format: 'png' | 'svg'): Promise<void> {
  const { frame, stores, path } = desk;
  const { notices, main } = stores;
  if (frame === null) return;
  try {
    const picture = format === 'svg' ? new Blob([draw(desk, frame, '').svg]) : await pngOf(desk, frame);
    const data = new Uint8Array(await picture.arrayBuffer());
    const suggestedName = `${fileNameOf(path).replace(/\.flow\.ya?ml$/, '')}.${format}`;
    const { path: saved } = await main.call('image.save', { suggestedName, format, data });
    if (saved !== null) notices.getState().add({ tone: 'info', title: 'The picture was saved', detail: saved });
  } catch (error) {
    notices.getState().addError('The picture was not saved', error);
  }
}

/** Puts the whole flow on the clipboard as an image. What goes wrong becomes a notice. */
export async function copyPicture(desk: CanvasDesk): Promise<void> {
  const { frame, stores } = desk;
  if (frame === null) return;
  try {
    const png = await pngOf(desk, frame);
    await navigator.clipboard.write([new ClipboardItem({ [png.type]: png })]);
    const detail = 'It can be pasted into other programs now.';
    stores.notices.getState().add({ tone: 'info', title: 'The picture was copied', detail });
  } catch (error) {
    stores.notices.getState().addError('The picture was not copied', error);
  }
}
