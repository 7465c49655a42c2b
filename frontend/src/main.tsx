import "./style.css";
import { render } from "preact";
import { App } from "./app";
import { LabelApp } from "./label/app";
import { openSource } from "./source";

const isLabelling = document.documentElement.dataset.kind === "label";
render(isLabelling ? <LabelApp /> : <App source={openSource()} />, document.getElementById("app")!);
