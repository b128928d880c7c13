/**
 * Context shared by the cards of a canvas.
 */
import { createContext } from 'react';
import type { FlowDirection } from './card-ports.ts';

/** Path of the flow on the canvas. Cards and edges use it to find their part of the run. */
export const FlowPath = createContext('');

/** Direction of the flow on the canvas. */
export const CanvasDirection = createContext<FlowDirection>('right');
