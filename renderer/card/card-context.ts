import { createContext } from 'react';

/** Path of the flow that the canvas draws; its cards and edges find their part of the run by it. */
export const FlowPath = createContext('');
