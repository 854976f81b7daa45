@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b0
b0:
  %t1 = getelementptr i8, ptr %b, i32 1
  %t2 = getelementptr i8, ptr %b, i32 -4
  %t3 = load i32, ptr %t2, align 4
  %t4 = icmp ne i32 %t3, 0
  br i1 %t4, label %ok.5, label %bad.6, !prof !0
bad.6:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 0, i32 0, i32 0) #1
  unreachable
ok.5:
  %t7 = sub i32 %t3, 1
  store i32 %t7, ptr %t2, align 4
  call void @"function.Program.Make.1"(ptr %b, ptr %t1, ptr null)
  br label %b1
b1:
  %t8 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t8, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}

define internal void @"function.Program.Make.1"(ptr %b, ptr %p0, ptr %live) nounwind {
entry:
  %a1 = alloca [1 x i8], align 1
  %a2 = alloca %lf_live, align 4
  call void @llvm.memset.p0.i32(ptr %a1, i8 0, i32 1, i1 false)
  %t3 = getelementptr %lf_live, ptr %a2, i32 0, i32 0
  store ptr %live, ptr %t3, align 4
  %t4 = getelementptr %lf_live, ptr %a2, i32 0, i32 1
  store ptr %a1, ptr %t4, align 4
  %t5 = getelementptr %lf_live, ptr %a2, i32 0, i32 2
  store i16 1, ptr %t5, align 2
  br label %b0
b0:
  %t6 = call zeroext i8 @lf_new_channel(ptr %b, ptr %a2, i16 zeroext 1)
  store i8 %t6, ptr %a1, align 1
  %t7 = call zeroext i8 @lf_new_channel(ptr %b, ptr %a2, i16 zeroext 2)
  store i8 %t7, ptr %p0, align 1
  ret void
}
