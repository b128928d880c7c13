/**
 * What the cards of a canvas have in common.
 */
import { createContext } from 'react';
import type { FlowDirection } from './card-ports.ts';

/** Path of the flow that the canvas draws; its cards and edges find their part of the run by it. */
export const FlowPath = createContext('');

/** Where the flow on the canvas runs to. */
export const CanvasDirection = createContext<FlowDirection>('right');
