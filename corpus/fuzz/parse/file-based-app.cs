#!/usr/bin/env dotnet
#:package Foo@1.0.0
System.Console.WriteLine(args.Length);
int F() => 1;
